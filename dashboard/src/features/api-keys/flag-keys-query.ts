import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";

/** The number of flags to choose from, the maximum size of a page of the API. */
const SIZE = 200;

/** The query (React Query) for the first flags of a project by name, without archived flags. */
export const flagKeysQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["flags", "keys", projectId],
    queryFn: async ({ signal }) => {
      const query = { projectId, archived: false, sort: "name" as const, size: SIZE };
      return (await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }))).items;
    },
  });
