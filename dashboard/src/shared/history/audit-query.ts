import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import type { Schemas } from "../api/types.ts";

export type AuditFilter = NonNullable<paths["/api/v1/audit"]["get"]["parameters"]["query"]>;

/** One page of audit records, with the time of its request in epoch milliseconds. */
export type AuditRecordPage = Schemas["AuditPage"] & { readonly fetchedAt: number };

/**
 * The query (React Query) for one page of audit records, newest first. The page has the time of the
 * request as `fetchedAt`, in epoch milliseconds. `filter` gets this time and returns the parameters
 * of the request.
 */
export const auditQuery = (key: readonly unknown[], filter: (now: number) => AuditFilter) =>
  queryOptions({
    queryKey: ["audit", ...key],
    queryFn: async ({ signal }): Promise<AuditRecordPage> => {
      const fetchedAt = Date.now();
      const query = filter(fetchedAt);
      const page = await dataOf(api.GET("/api/v1/audit", { params: { query }, signal }));
      return { ...page, fetchedAt };
    },
    placeholderData: keepPreviousData,
  });
