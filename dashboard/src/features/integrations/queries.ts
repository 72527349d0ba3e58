import { keepPreviousData } from "@tanstack/react-query";
import { read } from "../../shared/api/request.ts";
import type { Delivery } from "../../shared/api/types.ts";
import type { IntegrationSearch } from "./search-params.ts";

const PAGE_SIZE = 20;

/**
 * The minimum and the maximum refetch interval of webhook deliveries, in milliseconds. Within these
 * limits, the refetch happens at the next attempt of a pending webhook delivery. The maximum is
 * short: while the service sends a webhook delivery, `nextAttemptAt` already holds the time of the
 * following attempt.
 */
const MIN_REFETCH_MS = 2_000;
const MAX_REFETCH_MS = 5_000;

/** Throws: ApiError 404 if the integration does not exist. */
export const integrationQuery = (id: number) => read("/api/v1/integrations/{id}", { path: { id } });

/** The monthly quota of deliveries, which all integrations of a project share. */
export const webhookLimitQuery = (projectId: number) =>
  read("/api/v1/integrations/webhook-limit", { query: { projectId } });

/** One page of deliveries, newest first. Refetched while it contains a pending one. */
export const deliveriesQuery = (id: number, { status, page = 1 }: IntegrationSearch) =>
  read(
    "/api/v1/integrations/{id}/deliveries",
    { path: { id }, query: { ...(status && { status }), page: page - 1, size: PAGE_SIZE } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => msToNextAttempt(state.data?.items ?? []),
    },
  );

function msToNextAttempt(deliveries: readonly Delivery[]): number | false {
  const due = deliveries.flatMap(({ status, nextAttemptAt }) =>
    status === "pending" ? Date.parse(nextAttemptAt ?? "") || 0 : [],
  );
  if (due.length === 0) return false;
  return Math.min(Math.max(Math.min(...due) - Date.now(), MIN_REFETCH_MS), MAX_REFETCH_MS);
}
