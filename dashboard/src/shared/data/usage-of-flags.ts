import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";

const DAY_MS = 86_400_000;

/** The number of days of the usage, including today. */
export const USAGE_DAYS = 7;

/** The evaluations of each flag per day, oldest first, by the id of the flag. */
export type UsageByFlag = ReadonlyMap<number, readonly number[]>;

/** Returns the usage of flags in an environment, in one request. */
const readUsage = async (
  environmentId: number,
  flagIds: readonly number[],
  signal: AbortSignal,
): Promise<UsageByFlag> => {
  const query = { environmentId, flagIds: flagIds.join(","), from: firstDay() };
  const { flags } = await dataOf(api.GET("/api/v1/metrics/flags", { params: { query }, signal }));
  return new Map(
    flags.map(({ flagId, t, f }) => [flagId, t.map((count, day) => count + (f[day] ?? 0))]),
  );
};

const firstDay = (): string =>
  new Date(Date.now() - (USAGE_DAYS - 1) * DAY_MS).toISOString().slice(0, "2026-01-01".length);

/**
 * The query (React Query) for the usage of flags in an environment. Changes of the project do not refetch
 * it. It loads again in the next hour.
 */
export const usageQuery = (environmentId: number | undefined, flagIds: readonly number[]) =>
  queryOptions({
    queryKey: [
      "usage-of-flags",
      environmentId,
      flagIds.join(","),
      new Date().toISOString().slice(0, "2026-01-01T00".length),
    ],
    queryFn: ({ signal }) => readUsage(environmentId ?? 0, flagIds, signal),
    staleTime: "static",
    enabled: environmentId !== undefined && flagIds.length > 0,
  });
