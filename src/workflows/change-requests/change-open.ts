import type { Change } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { isOpen } from "../../model/change-requests/open-queries.ts";
import { findOperations } from "../../model/change-requests/operation-queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { type ChangeRequest, findRequest, show } from "./read-service.ts";
import { assertOpen } from "./audit-and-events.ts";
import { onlyEnvironments } from "../../access/scope.ts";

/** A request, and the hashes that the header `If-Match` accepts. Undefined accepts every hash. */
export interface ByHash extends ById {
  readonly ifMatch: readonly string[] | undefined;
}

/** Makes the change of a request from the request as it is. */
type ChangeOfRequest = (row: RequestRow, db: ReadDb) => Change | Promise<Change>;
type WritePermission = "change-request:write" | "change-request:review";

/**
 * Changes an open request. Returns what a function needs to read the request. Throws: 404, 412 for another
 * hash, 409 if it is not open, 403 for an API key or a limited token of other environments.
 */
export async function commitIfOpen(
  call: Call,
  permission: WritePermission,
  { id, ifMatch }: ByHash,
  changeOf: ChangeOfRequest,
): Promise<Reading> {
  const ctx = reads(call, permission);
  await repeatStale(async () => {
    const row = await findRequest(ctx, id);
    const { commit } = writes(call, permission, row);
    await assertInEnvironments(ctx, row);
    await assertOpen(row, ifMatch);
    const change = await changeOf(row, ctx.db);
    const guard = { holds: isOpen(row), error: staleRow };
    await commit({ ...change, guards: [guard, ...(change.guards ?? [])] });
  });
  return ctx;
}

/** Does the same as `commitIfOpen`, and returns the request after the change. */
export async function changeIfOpen(
  call: Call,
  permission: WritePermission,
  target: ByHash,
  changeOf: ChangeOfRequest,
): Promise<ChangeRequest> {
  const ctx = await commitIfOpen(call, permission, target, changeOf);
  return show(ctx, await findRequest(ctx, target.id));
}

/**
 * Checks that an API key, or a token that is limited to environments, belongs to the environments of
 * all operations of a request. The service applies a scheduled request later without the limits of the
 * token. Throws: 403.
 */
export async function assertInEnvironments(
  { actor, db }: Reading,
  { id }: RequestRow,
): Promise<void> {
  const environmentIds = onlyEnvironments(actor);
  if (!environmentIds) return;
  const operations = await findOperations(db, id);
  const isListed = (one: number | null) => one !== null && environmentIds.includes(one);
  if (!operations.every(({ environmentId }) => isListed(environmentId)))
    throw new ApiError(
      "FORBIDDEN",
      "The change request changes more than the environments of the token or API key; " +
        "use a token that is not limited to environments",
    );
}
