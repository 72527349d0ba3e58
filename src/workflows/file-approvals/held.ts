import { pathOf, resourceOf } from "@feature-flags/file/diff";
import type { PlannedApproval, WayOut } from "@feature-flags/file/plan";
import { usedSegments } from "../../core/strategies/strategy.ts";
import { MAX_OPERATIONS } from "../../changes/plan/operation.ts";
import type { Plan } from "../../changes/plan/plan.ts";
import type { Comparison } from "../files/comparison.ts";
import { ownedResources } from "../files/ownership.ts";
import { resourceKey } from "../files/rows.ts";
import type { PlacedOperation } from "../files/to-operations.ts";
import { isProposable } from "./plan-to-approve.ts";

/** Environments by their ids and names. */
type Environments = readonly { readonly id: number; readonly name: string }[];

/**
 * Returns the paths of the resources whose changes wait for an approval in these environments: the
 * strategies there, and the flags and segments whose change alters verdicts there. All strategies of
 * such a flag wait, too, because they may need its new variants.
 */
export function heldPaths(
  { content, operations }: Comparison,
  { work }: Plan,
  environments: Environments,
): ReadonlySet<string> {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const there = content.strategies.filter(({ environmentId }) => names.has(environmentId));
  const isOn = new Set(there.flatMap((row) => (row.content.enabled ? row.flagId : [])));
  const isUsed = new Set(there.flatMap((row) => usedSegments(row.content)));
  const held = new Set<string>();
  for (const { flagKey: key, environmentId, effect } of work.rules) {
    const environment = environmentId === null ? undefined : names.get(environmentId);
    if (effect === "none" || (environmentId !== null && environment === undefined)) continue;
    const isElsewhere = effect !== "any" && effect.kind === "where-on" && !isOn.has(effect.flagId);
    if (isElsewhere) continue;
    held.add(pathOf({ kind: environment === undefined ? "flag" : "strategy", key, environment }));
  }
  for (const { operation, path } of operations) {
    const { kind, target } = operation;
    const isOfFlag = kind === "strategy.set" && held.has(flagPath(path));
    if (isOfFlag || (kind === "segment.update" && isUsed.has(target.id))) held.add(path);
  }
  return held;
}

/** Returns the path of the flag to which the path of a strategy belongs: its first two parts. */
const flagPath = (path: string): string => path.split("/", 3).join("/");

/** Returns the part of a comparison without held resources, which an apply can make at once. */
export function withoutHeld(comparison: Comparison, held: ReadonlySet<string>): Comparison {
  const { draft, ids, operations } = comparison;
  const isHeld = (one: Parameters<typeof pathOf>[0]) => held.has(pathOf(resourceOf(one)));
  const isHeldFlag = ({ key }: { readonly key: string }) => isHeld({ kind: "flag", key });
  const rows = [
    ...draft.resources.filter(isHeld),
    ...draft.archived.filter(isHeldFlag).map(({ key }) => ({
      kind: "flag" as const,
      key,
      environment: undefined,
    })),
  ].flatMap((one) => {
    const id = ids.of(one);
    return id === undefined ? [] : resourceKey(one.kind, id, ids.environment(one));
  });
  const compared = {
    ...comparison,
    draft: {
      ...draft,
      resources: draft.resources.filter((one) => !isHeld(one)),
      archived: draft.archived.filter((one) => !isHeldFlag(one)),
      restored: draft.restored.filter((one) => !isHeldFlag(one)),
      held: new Set(rows),
    },
    operations: operations.filter(({ path }) => !held.has(path)),
  };
  let owned: ReturnType<typeof ownedResources> | undefined;
  return { ...compared, owned: () => (owned ??= ownedResources(compared)) };
}

/** Returns the part of a comparison that waits for an approval. Only its operations are those of the part. */
const onlyHeld = (comparison: Comparison, held: ReadonlySet<string>): Comparison => ({
  ...comparison,
  operations: comparison.operations.filter(({ path }) => held.has(path)),
});

/** Whether a change request can have all operations of a comparison that wait for an approval. */
export const canWait = (comparison: Comparison, held: ReadonlySet<string>): boolean =>
  isProposable(onlyHeld(comparison, held));

interface Protected {
  /** The environments in which the changes need an approval. */
  readonly needing: Environments;
  /** The environments that an apply with `skip` leaves out. */
  readonly skipped: Environments;
}

/** Returns what an apply would do with changes that need an approval, for each way out. */
export function waysOut(
  comparison: Comparison,
  planned: Plan,
  { needing, skipped }: Protected,
): PlannedApproval {
  const { operations } = comparison;
  const held = heldPaths(comparison, planned, needing);
  const ids = new Set(skipped.map(({ id }) => id));
  const isSkipped = ({ operation: { kind, target } }: PlacedOperation) =>
    kind === "strategy.set" && ids.has(target.environmentId);
  const way = (count: number, problem: string | false): WayOut => ({
    applied: operations.length - count,
    held: count,
    problem: problem === false ? null : problem,
  });
  const waiting = operations.filter(({ path }) => held.has(path));
  return {
    environments: needing.map(({ name }) => name),
    propose: way(waiting.length, !canWait(comparison, held) && NOT_PROPOSABLE),
    skip: way(operations.filter(isSkipped).length, !waiting.every(isSkipped) && NOT_SKIPPABLE),
  };
}

/** Why an apply cannot open a change request. */
export const NOT_PROPOSABLE =
  `A change request has at most ${MAX_OPERATIONS} changes, and cannot unarchive and change one flag. ` +
  "Apply the file in parts, each with some of its flags";

const NOT_SKIPPABLE =
  "The file also changes flags or segments that are in use there, and these changes need an approval, too";
