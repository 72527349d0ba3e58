import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../shared/api/client.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { paths } from "../../../shared/api/schema.d.ts";

export type FlagsQuery = NonNullable<paths["/api/v1/flags"]["get"]["parameters"]["query"]>;

/** The query (React Query) for the first flags of a list, in its order. */
export function firstFlagsQuery(list: FlagsQuery, size: number) {
  const query = { ...list, page: 0, size };
  return queryOptions({
    queryKey: ["flags", list.projectId, "first", query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/flags", { params: { query }, signal })),
  });
}
