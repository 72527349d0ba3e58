import { queryOptions } from "@tanstack/react-query";
import { reasonHeader } from "../api/change-reason.ts";
import { api } from "../api/client.ts";
import { proposalOf } from "../api/response.ts";
import type { AuditRecord, ChangeRequest, Reverted } from "../api/types.ts";
import type { Proposal } from "../change-requests/use-change-or-propose.ts";

/** What a revert would change, and the version of the flag, strategy or segment that it changes. */
interface Preview extends Reverted {
  etag: string;
}

interface RevertParams {
  query?: { dryRun: true } | { propose: true; reviewers?: string };
  header?: { "If-Match"?: string; "X-Change-Reason"?: string };
}

/** The audit actions whose records can be reverted, by the kind of what they restore. */
const KINDS = {
  "flag.updated": "flag",
  "flag.archived": "flag",
  "flag.unarchived": "flag",
  "flag.deleted": "flag",
  "strategy.updated": "strategy",
  "segment.updated": "segment",
  "segment.deleted": "segment",
} as const;

export type RevertKind = (typeof KINDS)[keyof typeof KINDS];

/** Returns what the revert of a record restores; undefined if the record cannot be reverted. */
export const revertKindOf = ({ action }: AuditRecord): RevertKind | undefined =>
  Object.hasOwn(KINDS, action) ? KINDS[action as keyof typeof KINDS] : undefined;

export const revertPreviewQuery = (record: AuditRecord) =>
  queryOptions({
    queryKey: ["revert", record.id],
    queryFn: async (): Promise<Preview> => {
      const { data, response } = await send(record, { query: { dryRun: true } });
      return { ...data, etag: response.headers.get("ETag") ?? "" };
    },
    // An old preview must not be confirmed.
    gcTime: 0,
    staleTime: 0,
  });

/**
 * Reverts a record. Throws: ApiError 412 if somebody has changed the flag, strategy or segment since
 * the preview was loaded.
 */
export async function revert(record: AuditRecord, how: Confirmed): Promise<Reverted> {
  return (await send(record, { header: headersOf(how) })).data;
}

/** Proposes the revert of a record. Throws: as `revert`. */
export const proposeRevert = (
  record: AuditRecord,
  preview: Preview,
  { title, reviewers }: Proposal,
): Promise<ChangeRequest> =>
  proposalOf(
    requestOf(record, {
      query: {
        propose: true,
        ...(reviewers.length > 0 && { reviewers: reviewers.join(",") }),
      },
      header: headersOf({ preview, reason: title }),
    }),
  );

interface Confirmed {
  preview: Preview;
  reason: string;
}

const headersOf = ({ preview, reason }: Confirmed) => ({
  "If-Match": preview.etag,
  ...reasonHeader(reason),
});

async function send(record: AuditRecord, params: RevertParams) {
  const { data, response } = await requestOf(record, params);
  return { data: data as Reverted, response };
}

function requestOf(record: AuditRecord, params: RevertParams) {
  const id = record.entityId ?? 0;
  const body = { recordId: record.id };
  switch (revertKindOf(record)) {
    case "strategy":
      return api.POST("/api/v1/flags/{flagId}/strategies/revert", {
        params: { ...params, path: { flagId: id } },
        body,
      });
    case "segment":
      return api.POST("/api/v1/segments/{id}/revert", {
        params: { ...params, path: { id } },
        body,
      });
    default:
      return api.POST("/api/v1/flags/{id}/revert", { params: { ...params, path: { id } }, body });
  }
}
