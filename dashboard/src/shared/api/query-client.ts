import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/**
 * Retry a query twice when no response arrived or the server failed (5xx). Client errors (4xx) are
 * not retried.
 */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/**
 * Creates the query cache of one user. A successful mutation refetches every query on the page, so
 * that no list stays outdated.
 */
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
