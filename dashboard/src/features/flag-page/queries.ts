import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import { constraintErrors, hasErrors } from "./strategy-errors.ts";
import { type StrategyChange, strategyRequest } from "./strategy-request.ts";
import type { StrategyDraft } from "./strategy.ts";

export interface DraftChange extends StrategyChange {
  /** `enabled` only if the same change also switches the flag. */
  change: StrategyDraft & { enabled?: boolean };
}

/** The maximum number of SDK instances that `oldInstancesQuery` loads. */
const MAX_OLD_INSTANCES = 5;

/** The SDK instances of the last 24 hours without ordered rules. `total` counts all of them. */
export const oldInstancesQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["instances", "old", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const { data: instances = [], response } = await api.GET(
        "/api/v1/projects/{id}/client-instances",
        {
          params: {
            path: { id: projectId },
            query: { environmentId, lackingFeature: "rules", size: MAX_OLD_INSTANCES },
          },
          signal,
        },
      );
      const total = Number(response.headers.get("X-Total-Count") ?? instances.length);
      return { instances, total };
    },
  });

/**
 * The React Query options that ask the API which share of users, 0 to 1, would get another value
 * after a change of a strategy. The request saves nothing (`dryRun`). It is not retried, because
 * the share is only additional information. The result is null if it is unknown.
 */
export const movesQuery = (t: Translate, { strategy, change }: DraftChange) => {
  const { flagId, environmentId, version } = strategy;
  return queryOptions({
    queryKey: ["flag", flagId, "moves", environmentId, version, change],
    queryFn: async ({ signal }) => {
      if (hasErrors(await constraintErrors(t, change))) return null;
      const { params, body } = strategyRequest({ strategy, change });
      const call = api.PUT("/api/v1/flags/{flagId}/strategies", {
        params: { ...params, query: { dryRun: true } },
        body,
        signal,
      });
      return (await dataOf(call)).moves ?? null;
    },
    retry: false,
  });
};
