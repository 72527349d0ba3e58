import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** Whether the own second factor is on, and by when it must be. */
export const mfaQuery = queryOptions({
  queryKey: ["mfa"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/auth/mfa", { signal })),
});
