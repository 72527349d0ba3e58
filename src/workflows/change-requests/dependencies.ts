import { conflict, invalid } from "../../core/errors/api-error.ts";
import type { ReadDb } from "../../db/database.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import { type Circumstances, plan, type Plan } from "../../changes/plan/plan.ts";
import { readState } from "../../changes/read.ts";
import type { Work } from "../../changes/plan/work.ts";
import { storedClone, storedFields, storedRamp } from "./stored-input.ts";
import { type Current, auditedToStrategy } from "./targets.ts";
import type { RequestOperation } from "../../model/change-requests/operations.ts";
import { findOperations } from "../../model/change-requests/operation-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";

/** The most requests of a chain, of which each depends on the one before. */
const MAX_CHAIN = 10;

/** A request that depends on an earlier one, or a new one that will. */
export interface Dependent {
  /** Undefined: the project of the only operation, which depends on no request. */
  readonly projectId: number | undefined;
  readonly dependsOn: number | null;
}

/** The earlier requests on which a request depends, and which are not applied yet. */
export interface Earlier {
  /** What they write, in the order in which the service applies them. */
  readonly operations: readonly Operation[];
  /** The resources after these operations. Undefined: there are none, or they cannot be applied. */
  readonly work: Work | undefined;
}

const NONE: Earlier = { operations: [], work: undefined };

/** The error of a request whose earlier request is not applied yet. */
export const notYet = conflict(
  "The change request on which this one depends is not applied yet; apply it first",
);

/** The error of a request whose earlier request can never be applied. */
export const notDependable = conflict(
  "The change request on which this one depends cannot be applied any more",
);

/** Returns the operation that writes what was reviewed. */
export function reviewedOperation(
  { kind, targetId, environmentId, change, after }: RequestOperation,
  requestId: number,
): Operation {
  if (environmentId !== null) {
    const target = { flag: { flagId: targetId }, environmentId };
    if (kind === "strategy.set")
      return { kind: "strategy.replace", target, input: auditedToStrategy(after) };
    const input = { ...storedRamp.parse(change), changeRequestId: requestId };
    return { kind: "ramp.start", target, input };
  }
  const target = { flagId: targetId };
  switch (kind) {
    case "segment.update":
      return { kind, target: { id: targetId }, input: storedFields.parse(change) };
    case "flag.update":
      return { kind, target, input: storedFields.parse(change) };
    case "flag.clone":
      return { kind, target, input: storedClone.parse(change) };
    case "flag.archive":
    case "flag.unarchive":
      return { kind, target, input: undefined };
    default:
      throw new Error(`${kind} must have an environment`);
  }
}

/** Reads the chain of open requests on which a request depends. A chain ends at one that is not open. */
export async function earlierOf(db: ReadDb, { projectId, dependsOn }: Dependent): Promise<Earlier> {
  const chain: Operation[][] = [];
  if (projectId === undefined) return NONE;
  let next = dependsOn;
  while (next !== null && chain.length < MAX_CHAIN) {
    const row = await queries.findRequest(db, next);
    if (row?.state !== "open") break;
    const { id } = row;
    const operations = await findOperations(db, id);
    chain.unshift(operations.map((operation) => reviewedOperation(operation, id)));
    next = row.dependsOn;
  }
  const operations = chain.flat();
  if (operations.length === 0) return NONE;
  const state = await readState(db, operations, { projectId });
  const { work, errors } = plan(state, operations, { now: 0, newRuleId: () => "" });
  return { operations, work: errors.length === 0 ? work : undefined };
}

/** Returns what a request is based on, as it will be after the earlier requests. */
export function withResult({ work }: Earlier, current: Current): Current {
  if (!work) return current;
  const { flags, strategies, segments } = work;
  return {
    flags: replaced(current.flags, flags),
    strategies: replaced(current.strategies, strategies),
    segments: replaced(current.segments, segments),
  };
}

const replaced = <K, Row>(rows: ReadonlyMap<K, Row>, by: ReadonlyMap<K, Row>): Map<K, Row> =>
  new Map(Array.from(rows, ([key, row]) => [key, by.get(key) ?? row]));

/**
 * Plans operations on the state after the earlier ones. Throws: 409 if the earlier ones cannot be applied.
 */
export async function planAfter(
  db: ReadDb,
  {
    projectId,
    earlier,
    operations,
  }: {
    readonly projectId: number;
    readonly earlier: Earlier;
    readonly operations: readonly Operation[];
  },
  circumstances: Circumstances,
): Promise<Plan> {
  const all = [...earlier.operations, ...operations];
  const state = await readState(db, all, { projectId });
  const { work, errors } = plan(state, earlier.operations, circumstances);
  if (errors.length > 0) throw notDependable;
  const { flags, strategies, segments } = work;
  return plan({ ...state, flags, strategies, segments }, operations, circumstances);
}

interface Asked {
  /** Undefined: the project of the only operation, which can depend on no request. */
  readonly projectId: number | undefined;
  readonly dependsOn: number | null;
  readonly applyAt: number | null;
  /** The id of the request. Undefined for a new one. */
  readonly id?: number | undefined;
}

/**
 * Checks that a request may depend on another one: an open and scheduled one of its project that was
 * opened earlier and is applied no later. Throws: 400.
 */
export async function assertDependable(
  db: ReadDb,
  { projectId, dependsOn, applyAt, id = Infinity }: Asked,
): Promise<void> {
  if (dependsOn === null) return;
  const refuse = (message: string) => invalid([{ field: "dependsOn", message }]);
  if (applyAt === null) throw refuse("requires applyAt");
  const earlier = await queries.findRequest(db, dependsOn);
  if (
    !earlier ||
    earlier.projectId !== projectId ||
    earlier.state !== "open" ||
    earlier.applyAt === null
  )
    throw refuse("must be an open change request of the project that is scheduled");
  if (earlier.id >= id || earlier.applyAt > applyAt)
    throw refuse("must be a change request that was opened earlier and is applied no later");
  let length = 1;
  for (let next = earlier.dependsOn; next !== null; length++)
    next = (await queries.findRequest(db, next))?.dependsOn ?? null;
  if (length >= MAX_CHAIN)
    throw refuse(`must not make a chain of more than ${MAX_CHAIN} change requests`);
}
