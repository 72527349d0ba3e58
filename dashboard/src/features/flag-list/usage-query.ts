import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Schemas, EnrichedFlag } from "../../shared/api/types.ts";

const DAY_MS = 86_400_000;

/** The number of days in the usage column, including today. */
const USAGE_DAYS = 7;

/** The evaluations of each flag per day, oldest first, by the id of the flag. */
export type UsageByFlag = ReadonlyMap<number, readonly number[]>;

/**
 * The query (React Query) for the usage of the listed flags in an environment, in one request. Changes
 * of the project do not refetch it. It loads again in the next hour.
 */
export function usageQuery(environmentId: number | undefined, flagIds: readonly number[]) {
  const from = new Date(Date.now() - (USAGE_DAYS - 1) * DAY_MS).toISOString();
  const query = {
    environmentId: environmentId ?? 0,
    flagIds: flagIds.join(","),
    from: from.slice(0, "2026-01-01".length),
  };
  return queryOptions({
    queryKey: ["usage-of-flags", query, from.slice(0, "2026-01-01T00".length)],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/metrics/flags", { params: { query }, signal })),
    select: byFlag,
    staleTime: "static",
    placeholderData: keepPreviousData,
    enabled: environmentId !== undefined && flagIds.length > 0,
  });
}

const byFlag = ({ flags }: Schemas["UsageOfFlags"]): UsageByFlag =>
  new Map(flags.map(({ flagId, t, f }) => [flagId, t.map((count, day) => count + (f[day] ?? 0))]));

/** Returns the environment whose usage the list shows: production, or else the first one. */
export const usageEnvironment = ({ environments }: Pick<EnrichedFlag, "environments">) =>
  environments.find(({ production }) => production) ?? environments[0];
