import { queryOptions } from "@tanstack/react-query";
import { answer, everything } from "../../shared/api/answer.ts";
import { api } from "../../shared/api/client.ts";

/** Errors: 404. */
export const flagQuery = (id: number) =>
  queryOptions({
    queryKey: ["flag", id],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/flags/{id}", { params: { path: { id } }, signal })),
  });

/** One for every environment of the project, in the order of the environments. */
export const strategiesQuery = (flagId: number) =>
  queryOptions({
    queryKey: ["flag", flagId, "strategies"],
    queryFn: ({ signal }) =>
      everything((query) =>
        api.GET("/api/v1/flags/{flagId}/strategies", {
          params: { path: { flagId }, query },
          signal,
        }),
      ),
  });
