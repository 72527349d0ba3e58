import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Delivery } from "../../shared/api/types.ts";
import type { IntegrationSearch } from "./search-params.ts";

const PAGE_SIZE = 20;

/**
 * The list of deliveries is refetched when the next attempt of a pending delivery is due, within
 * these bounds in milliseconds. The upper bound is short because a delivery that is being sent now
 * shows the time of its next attempt until the receiver responds.
 */
const MIN_REFETCH_MS = 2_000;
const MAX_REFETCH_MS = 5_000;

/** Loads one integration. Throws: ApiError 404 if it does not exist. */
export const integrationQuery = (id: number) =>
  queryOptions({
    queryKey: ["integrations", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/integrations/{id}", { params: { path: { id } }, signal })),
  });

/** Loads the monthly delivery quota of the whole service. */
export const webhookLimitQuery = queryOptions({
  queryKey: ["integrations", "webhook-limit"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/integrations/webhook-limit", { signal })),
});

/** Loads deliveries, newest first. Refetches while any of them is pending. */
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
