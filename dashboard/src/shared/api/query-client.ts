import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** Once more when the service could not answer; what it has refused it will refuse again. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/** After any change everything on the page is asked for anew: a cached list is never wrong for long. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: isWorthRetrying, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
    mutationCache: new MutationCache({
      onSuccess: () => client.invalidateQueries(),
    }),
  });
  return client;
}
