import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/**
 * Whether React Query retries a failed query. A query is retried up to twice if no response
 * arrived, the status is 5xx, or the error is not an ApiError. Client errors (4xx) are not retried.
 */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/**
 * Creates the React Query client of one signed-in user. After every successful mutation, all
 * queries on the page are refetched, so that no list is outdated.
 */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: shouldRetry, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
    mutationCache: new MutationCache({
      onSuccess: () => client.invalidateQueries(),
    }),
  });
  return client;
}
