import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Environment } from "../api/types.ts";

/** In the order of creation, which usually is the order of a release. */
export const environmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["environments", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/environments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

/**
 * Whether the environment serves customers, judged by its name. Changes there ask for confirmation.
 */
export const isProduction = ({ name }: Pick<Environment, "name">): boolean =>
  /^(prod|production|live)\b/i.test(name);
