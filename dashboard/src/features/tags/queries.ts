import { queryOptions } from "@tanstack/react-query";
import { answer } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** How many flags the table of flags shows for this tag. */
export const taggedQuery = (projectId: number, tag: string) =>
  queryOptions({
    queryKey: ["flags", "tagged", projectId, tag],
    queryFn: async ({ signal }) => {
      const query = { projectId, tag, size: 1 };
      return (await answer(api.GET("/api/v1/flags", { params: { query }, signal }))).totalItems;
    },
  });
