import { queryOptions } from "@tanstack/react-query";
import { everything } from "../api/response.ts";
import { api } from "../api/client.ts";

export const segmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["segments", projectId],
    queryFn: ({ signal }) =>
      everything((query) =>
        api.GET("/api/v1/segments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
