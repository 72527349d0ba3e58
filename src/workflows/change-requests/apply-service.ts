import type { Revision } from "../../db/commit.ts";
import type { Call } from "../../access/call.ts";
import { apply } from "./apply.ts";
import type { ByHash } from "./change-open.ts";
import { type ChangeRequest, findRequest, show } from "./read-service.ts";

/**
 * Applies an open request: all its operations in one commit, exactly as they were reviewed, and only once.
 * The title of the request is the reason in the audit trail, unless the caller gives one. Throws: 404, 412
 * for another hash; 409 if it is not open, before or after the time of its schedule, if a target was archived
 * or deleted, if it is outdated (`OUTDATED`), or if approvals are missing (`APPROVAL_REQUIRED`); 403 for
 * somebody who may not write to one of the environments; and the errors of `execute`.
 */
export async function applyRequest(
  call: Call,
  input: ByHash,
): Promise<{ readonly request: ChangeRequest; readonly revisions: readonly Revision[] }> {
  const { ctx, revisions } = await apply(call, input);
  return { request: await show(ctx, await findRequest(ctx, input.id)), revisions };
}
