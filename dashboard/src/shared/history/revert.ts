import { queryOptions } from "@tanstack/react-query";
import { reasonHeader } from "../api/change-reason.ts";
import { api } from "../api/client.ts";
import type { AuditRecord, Reverted } from "../api/types.ts";

/** What a revert would change, and the version of the flag, strategy or segment that it changes. */
interface Preview extends Reverted {
  etag: string;
}

interface RevertRequest {
  params: {
    query?: { dryRun: boolean };
    header?: { "If-Match"?: string; "X-Change-Reason"?: string };
  };
  body: { recordId: number };
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
export async function revert(
  record: AuditRecord,
  { preview, reason }: { preview: Preview; reason: string },
): Promise<Reverted> {
  const header = { "If-Match": preview.etag, ...reasonHeader(reason) };
  return (await send(record, { header })).data;
}

async function send(record: AuditRecord, params: RevertRequest["params"]) {
  const id = record.entityId ?? 0;
  const body = { recordId: record.id };
  const { data, response } = await requestOf(revertKindOf(record), id, { params, body });
  return { data: data as Reverted, response };
}

function requestOf(kind: RevertKind | undefined, id: number, { params, body }: RevertRequest) {
  switch (kind) {
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
