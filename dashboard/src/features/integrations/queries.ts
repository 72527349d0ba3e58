import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Delivery } from "../../shared/api/types.ts";
import type { IntegrationSearch } from "./search-params.ts";

const PAGE_SIZE = 20;

/**
 * The bounds, in milliseconds, of the refetch interval of webhook deliveries, which is the time
 * until the next attempt of a pending one. The upper bound is short: a webhook delivery that is
 * being sent shows the time of its next attempt until the receiver responds.
 */
const MIN_REFETCH_MS = 2_000;
const MAX_REFETCH_MS = 5_000;

/**
 * The React Query options that load one integration.
 * Throws: ApiError 404 if the integration does not exist.
 */
export const integrationQuery = (id: number) =>
  queryOptions({
    queryKey: ["integrations", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/integrations/{id}", { params: { path: { id } }, signal })),
  });

/**
 * The React Query options that load the monthly quota of webhook deliveries, which all integrations
 * of the service share.
 */
export const webhookLimitQuery = queryOptions({
  queryKey: ["integrations", "webhook-limit"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/integrations/webhook-limit", { signal })),
});

/**
 * The React Query options that load one page of an integration's webhook deliveries, newest first.
 * They refetch while a webhook delivery on this page is pending.
 */
export const deliveriesQuery = (id: number, { status, page = 1 }: IntegrationSearch) =>
  queryOptions({
    queryKey: ["integrations", "deliveries", id, { status, page }],
    queryFn: ({ signal }) => {
      const query = { ...(status && { status }), page: page - 1, size: PAGE_SIZE };
      const params = { path: { id }, query };
      return dataOf(api.GET("/api/v1/integrations/{id}/deliveries", { params, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => msToNextAttempt(state.data?.items ?? []),
  });

function msToNextAttempt(deliveries: readonly Delivery[]): number | false {
  const due = deliveries.flatMap(({ status, nextAttemptAt }) =>
    status === "pending" ? Date.parse(nextAttemptAt ?? "") || 0 : [],
  );
  if (due.length === 0) return false;
  return Math.min(Math.max(Math.min(...due) - Date.now(), MIN_REFETCH_MS), MAX_REFETCH_MS);
}
