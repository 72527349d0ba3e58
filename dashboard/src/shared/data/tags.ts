import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const tagsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["tags", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/tags", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
