import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Environment } from "../api/types.ts";

/** In the order of their creation, which is that of a release. */
export const environmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["environments", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/environments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

/** Where a change concerns customers: it asks for a confirmation. */
export const isProduction = ({ name }: Pick<Environment, "name">): boolean =>
  /^(prod|production|live)\b/i.test(name);
