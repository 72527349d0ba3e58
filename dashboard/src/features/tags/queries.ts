import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** The React Query options that load the tags of a project, each with the number of its flags. */
export const countedTagsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["tags", projectId, "counted"],
    queryFn: ({ signal }) =>
      fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/tags", { params: { query }, signal });
      }),
  });

/** The number of flags with the tag. Archived flags do not count. */
export const flagCountOfTagQuery = (projectId: number, tag: string) =>
  queryOptions({
    queryKey: ["flags", "tagged", projectId, tag],
    queryFn: async ({ signal }) => {
      const query = { projectId, tag, size: 1 };
      return (await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }))).totalItems;
    },
  });
