import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { send } from "../../shared/api/request.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type Authorization = Schemas["Authorization"];

/**
 * What an OAuth client asks. Throws: ApiError 400 with the field `client_id` or `redirect_uri`, if the
 * service does not know who asks.
 */
export const authorizationQuery = (query: string) =>
  queryOptions({
    queryKey: ["authorization", query],
    queryFn: ({ signal }) => dataOf(api.POST("/api/oauth/request", { body: { query }, signal })),
    staleTime: Infinity,
    retry: false,
  });

/** Throws: ApiError 400 for a wrong password, 402 if the user has too many agents. */
export const decide = (body: Schemas["Consent"]) => send("post", "/api/oauth/consent", { body });
