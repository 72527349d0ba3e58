import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/**
 * The query (React Query) for the second factor of the signed-in user: whether it is on, and until
 * when the user must set it up.
 */
export const mfaQuery = queryOptions({
  queryKey: ["mfa"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/auth/mfa", { signal })),
});
