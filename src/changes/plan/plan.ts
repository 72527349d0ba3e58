import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";
import type { ApiError } from "../../core/errors/api-error.ts";
import { inTurns } from "../../core/lib/turns.ts";
import type { Operation } from "./operation.ts";
import { planFlag } from "./flag-plan.ts";
import { planContext, planContextValues, planSegment, planTag } from "./item-plan.ts";
import { planRamp } from "./ramp-plan.ts";
import { relationCheck } from "./result-rules.ts";
import { type Fault, Refusal, type State } from "./state.ts";
import { planStrategy } from "./strategy-plan.ts";
import { Work } from "./work.ts";

/** Why an operation is refused. */
export interface PlanError {
  /** The index of the operation. */
  readonly operation: number;
  readonly error: ApiError;
  readonly fault: Fault | undefined;
  readonly subject: string;
}

/** What a list of operations would do. */
export interface Plan {
  readonly operations: readonly Operation[];
  /** The resources after the operations, and the record of each that changes something. */
  readonly work: Work;
  readonly errors: readonly PlanError[];
}

/** What a plan depends on, besides the state and the operations. */
export interface Circumstances {
  /** The time of the change, epoch milliseconds. */
  readonly now: number;
  readonly newRuleId: () => string;
}

/**
 * Plans operations, in order: each sees the results of the operations before it. Rules about the
 * result, such as that no flag requires an archived flag, count at the end of the list only.
 */
export const plan = (...what: Parameters<typeof planWithPauses>): Plan =>
  withoutPauses(planWithPauses(...what));

/** Plans operations as `plan` does, and lets other requests run in between. */
export const planInTurns = (...what: Parameters<typeof planWithPauses>): Promise<Plan> =>
  inTurns(planWithPauses(...what));

/** Plans operations, and yields between them. */
function* planWithPauses(
  state: State,
  operations: readonly Operation[],
  circumstances: Circumstances,
): Pausing<Plan> {
  const work = new Work(state, circumstances);
  const errors: PlanError[] = [];
  const attempt = (operation: number, run: () => void) => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors.push({ operation, error: error.error, fault: error.fault, subject: error.subject });
    }
  };
  for (const { kind, target } of operations)
    if (kind === "context.replace-values" && "id" in target) work.replacedContexts.add(target.id);
  for (const [n, operation] of operations.entries()) {
    yield operation.input;
    attempt(n, () => apply(work, operation, n));
  }
  if (errors.length > 0) return { operations, work, errors };
  const checked = yield* lastOfEachTarget(operations);
  const checkRelations = yield* relationCheck(
    work,
    checked.map(([, operation]) => operation),
  );
  for (const [n, operation] of checked) {
    yield operation.input;
    attempt(n, () => checkRelations(operation));
  }
  return { operations, work, errors };
}

/** Returns the last operation of each kind on each target, with its index, in order. */
function* lastOfEachTarget(
  operations: readonly Operation[],
): Pausing<(readonly [number, Operation])[]> {
  const last = new Map<string, number>();
  for (const [n, { kind, target }] of operations.entries()) {
    yield;
    last.set(kind.endsWith(".create") ? `${n}` : JSON.stringify([kind, target]), n);
  }
  const kept = new Set(last.values());
  return [...operations.entries()].filter(([n]) => kept.has(n));
}

function apply(work: Work, operation: Operation, n: number): void {
  switch (operation.kind) {
    case "strategy.set":
    case "strategy.switch":
    case "strategy.copy":
    case "strategy.replace":
      return planStrategy(work, operation, n);
    case "ramp.start":
      return planRamp(work, operation, n);
    case "segment.create":
    case "segment.update":
    case "segment.delete":
      return planSegment(work, operation, n);
    case "tag.create":
    case "tag.update":
    case "tag.delete":
      return planTag(work, operation, n);
    case "context.create":
    case "context.update":
    case "context.delete":
      return planContext(work, operation, n);
    case "context.replace-values":
      return planContextValues(work, operation, n);
    default:
      return planFlag(work, operation, n);
  }
}
