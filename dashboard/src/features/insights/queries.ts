import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "../../shared/api/request.ts";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { periodOf, usageRefreshMs, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { propagationQuery } from "../../shared/data/environments.ts";

/** The options of the queries about SDK instances. They refetch, because users watch a roll-out. */
const liveOptions = { refetchInterval: 30_000, placeholderData: keepPreviousData };

/** The usage of each environment in the same period. */
export const metricsQuery = (environmentIds: readonly [number, ...number[]], range: UsageRange) =>
  queryOptions({
    queryKey: ["insights", environmentIds, range],
    queryFn: ({ signal }) => {
      const period = periodOf(range);
      const readOne = (environmentId: number) => {
        const query = { environmentId, ...period };
        return dataOf(api.GET("/api/v1/metrics", { params: { query }, signal }));
      };
      const [first, ...others] = environmentIds;
      return Promise.all([readOne(first), ...others.map(readOne)]);
    },
    refetchInterval: usageRefreshMs(range),
    placeholderData: keepPreviousData,
  });

const INSTANCES_PER_PAGE = 20;

/** One page of SDK instances, the most recently seen first. `page` starts at 1. */
export const instancesQuery = (projectId: number, environmentId: number, page: number) =>
  queryOptions({
    queryKey: ["instances", projectId, environmentId, page],
    queryFn: async ({ signal }) => {
      const { data = [], response } = await api.GET("/api/v1/projects/{id}/client-instances", {
        params: {
          path: { id: projectId },
          query: { environmentId, page: page - 1, size: INSTANCES_PER_PAGE },
        },
        signal,
      });
      const total = Number(response.headers.get("X-Total-Count") ?? data.length);
      return { items: data, pages: Math.ceil(total / INSTANCES_PER_PAGE) };
    },
    ...liveOptions,
  });

export const livePropagationQuery = (environmentId: number) => ({
  ...propagationQuery(environmentId),
  ...liveOptions,
});

/** The instances of Unleash SDKs by SDK, the most frequent first. The service maps all rules for this. */
export const unleashSdksQuery = (environmentId: number) =>
  read(
    "/api/v1/environments/{id}/unleash",
    { path: { id: environmentId } },
    { staleTime: 60_000, select: ({ sdks }) => sdks },
  );
