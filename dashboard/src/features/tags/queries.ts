import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** The number of flags with this tag that the table of flags shows. */
export const flagCountOfTagQuery = (projectId: number, tag: string) =>
  queryOptions({
    queryKey: ["flags", "tagged", projectId, tag],
    queryFn: async ({ signal }) => {
      const query = { projectId, tag, size: 1 };
      return (await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }))).totalItems;
    },
  });
