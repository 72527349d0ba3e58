import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/**
 * Loads the state of the signed-in user's second factor: whether it is on, and until when the user
 * must turn it on.
 */
export const mfaQuery = queryOptions({
  queryKey: ["mfa"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/auth/mfa", { signal })),
});
