import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const segmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["segments", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/segments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
