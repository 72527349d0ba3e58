import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";

/** The protection of an environment, its members, and the entity tag of both. */
export const protectionQuery = (environmentId: number) =>
  queryOptions({
    queryKey: ["environments", "protection", environmentId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: environmentId } };
      // The members come first: if somebody changes one of the two meanwhile, saving is a 412.
      const members = api.GET("/api/v1/environments/{id}/members", { params, signal });
      const { response, data } = await members;
      return {
        etag: response.headers.get("ETag") ?? "",
        members: data?.members ?? [],
        protection: await dataOf(
          api.GET("/api/v1/environments/{id}/protection", { params, signal }),
        ),
      };
    },
    // The form must not begin with an old state.
    gcTime: 0,
    staleTime: 0,
  });
