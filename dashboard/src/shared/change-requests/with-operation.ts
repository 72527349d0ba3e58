import type { ChangeRequest, RequestOperation } from "../api/types.ts";

type Stored = ChangeRequest["operations"][number];

/**
 * Returns the operations of a change request with another one, which replaces an operation with the same target.
 * `replaced` is the operation with that target; undefined: the request has none.
 */
export function withOperation(
  { operations }: Pick<ChangeRequest, "operations">,
  added: RequestOperation,
): { operations: RequestOperation[]; replaced: Stored | undefined } {
  const target = targetOf(added);
  const replaced = operations.find((one) => targetOf(toOperation(one)) === target);
  const kept = operations.map((one) => (one === replaced ? added : toOperation(one)));
  return { operations: replaced ? kept : [...kept, added], replaced };
}

/** Returns an operation of a change request as the request to change its operations takes it. */
function toOperation({ kind, targetId, environmentId, change }: Stored): RequestOperation {
  const target =
    kind === "segment.update"
      ? { id: targetId }
      : { flagId: targetId, ...(environmentId !== null && { environmentId }) };
  // The API has stored the input as it takes it.
  return { kind, target, ...(change && { input: change }) } as RequestOperation;
}

/** Returns a text that is the same for two operations which one change request cannot have. */
function targetOf({ target }: RequestOperation): string {
  if ("id" in target) return `segment ${target.id}`;
  const environmentId = "environmentId" in target ? target.environmentId : null;
  return `flag ${"flagId" in target ? target.flagId : target.flagKey} ${environmentId}`;
}
