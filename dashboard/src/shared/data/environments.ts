import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Environment } from "../api/types.ts";

/**
 * Loads the environments of a project in the order of their creation. This is usually the order of
 * a release.
 */
export const environmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["environments", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/environments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

/**
 * Whether the environment serves customers. Its name decides. The dashboard asks for confirmation
 * before changes there.
 */
export const isProduction = ({ name }: Pick<Environment, "name">): boolean =>
  /^(prod|production|live)\b/i.test(name);
