import { type ApiError, conflict } from "../../core/errors/api-error.ts";
import { usedSegments } from "../../core/strategies/strategy.ts";
import { basisDigest, type Current, hashOf, rowOf, auditedToStrategy } from "./targets.ts";
import type { BasedOperation, WrittenOperation } from "../../model/change-requests/operations.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { blocked } from "./audit-and-events.ts";

/** Whether a request can still be applied, apart from its approvals. */
export interface Standing {
  /** Whether all that the request is based on is as it was. */
  readonly isCurrent: boolean;
  /** The error of a target that was archived or deleted. Undefined: there is none. */
  readonly obstacle: ApiError | undefined;
}

export async function standingOf(
  row: RequestRow,
  operations: readonly BasedOperation[],
  current: Current,
): Promise<Standing> {
  const isCurrent =
    (await hashOf(operations, current, row)) === row.hash ||
    (await hasSameBasis(row, operations, current));
  return { isCurrent, obstacle: isCurrent ? undefined : obstacleOf(operations, current) };
}

/**
 * Whether all that the request is based on has the content that was reviewed, also if something was
 * changed and changed back. A request on the result of another one is compared by its hash alone.
 */
async function hasSameBasis(
  { dependsOn }: RequestRow,
  operations: readonly BasedOperation[],
  current: Current,
): Promise<boolean> {
  if (dependsOn !== null) return false;
  const digests = await Promise.all(operations.map((one) => basisDigest(current, one)));
  return operations.every(({ basis }, n) => basis === digests[n]);
}

function obstacleOf(operations: readonly WrittenOperation[], current: Current) {
  for (const [n, operation] of operations.entries()) {
    if (!rowOf(current, operation)) return blocked(n);
    const { kind, environmentId, after, targetId } = operation;
    const needsFlag = kind === "strategy.set" || kind === "flag.update";
    if (needsFlag && current.flags.get(targetId)?.archived)
      return conflict(
        `The flag of operations.${n} is archived; unarchive it, or close the change request`,
      );
    if (environmentId === null) continue;
    if (usedSegments(auditedToStrategy(after)).some((id) => !current.segments.has(id)))
      return conflict(
        `A segment that operations.${n} uses does not exist any more; change the operation, or close the change request`,
      );
  }
  return undefined;
}
