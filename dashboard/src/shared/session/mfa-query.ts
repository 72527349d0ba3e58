import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** The signed-in user's second factor: whether it is on, and the deadline to turn it on. */
export const mfaQuery = queryOptions({
  queryKey: ["mfa"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/auth/mfa", { signal })),
});
