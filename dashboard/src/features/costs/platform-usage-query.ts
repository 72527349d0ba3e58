import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type PlatformUsage = Schemas["PlatformUsage"];
export type Counter = PlatformUsage["counters"][number];

export const platformUsageQuery = queryOptions({
  queryKey: ["platform-usage"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/settings/platform-usage", { signal })),
});
