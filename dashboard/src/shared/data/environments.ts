import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Environment } from "../api/types.ts";

/**
 * The query (React Query) for the environments of a project, oldest first. Releases usually reach
 * the environments in this order.
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
 * Whether the environment counts as production: its name starts with the word prod, production or
 * live, in any case. The dashboard asks for confirmation before strategies change there.
 */
export const isProduction = ({ name }: Pick<Environment, "name">): boolean =>
  /^(prod|production|live)\b/i.test(name);
