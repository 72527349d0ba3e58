import type { CompiledRule, Extras, Requirement } from "./compile.ts";
import type { EvaluationContext, Verdict } from "./rule.ts";
import { allHold, includes, type CompiledActivation, verdictOf } from "./compiled-activation.ts";
import { FLAG_NOT_FOUND, SPLIT_ON, type Verdicts } from "./verdict.ts";

/** Evaluates a plain boolean flag. */
function decidePlain(
  step: CompiledActivation,
  off: Verdicts["off"],
  context: EvaluationContext,
): Verdict {
  for (const holds of step.conditions) if (!holds(context)) return off.CONSTRAINT_MISMATCH;
  if (step.percentage >= 100) return step.served;
  if (step.percentage <= 0) return off.SPLIT;
  const id = step.readId(context);
  if (id === undefined) return off.TARGETING_KEY_MISSING;
  return includes(step, id) ? SPLIT_ON : off.SPLIT;
}

/** Tries the rules of a flag in order. */
function decideInOrder(
  { steps }: Extras,
  off: Verdicts["off"],
  context: EvaluationContext,
): Verdict {
  let hasMissedId = false;
  let hasMissedPercentage = false;
  for (const step of steps) {
    if (!allHold(step, context)) continue;
    if (!step.isReadable) return off.DISABLED;
    const verdict = verdictOf(step, context);
    if (typeof verdict === "object") return verdict;
    if (verdict === "id") hasMissedId = true;
    else hasMissedPercentage = true;
  }
  if (hasMissedId) return off.TARGETING_KEY_MISSING;
  return hasMissedPercentage ? off.SPLIT : off.CONSTRAINT_MISMATCH;
}

/**
 * Whether the verdicts of a flag have variants. The verdicts of a boolean flag without variants and
 * ordered rules have none.
 */
export const hasVariants = ({ extras }: CompiledRule): boolean =>
  extras !== undefined && !extras.isPlain;

/** Whether the verdict of the required flag meets the prerequisite. */
export function isMet(
  { enabled, variants }: Pick<Requirement, "enabled" | "variants">,
  parent: CompiledRule,
  verdict: Verdict,
): boolean {
  if (verdict.enabled !== enabled) return false;
  if (variants === undefined) return true;
  const plain = verdict.enabled ? "on" : "off";
  const variant = hasVariants(parent) ? verdict.variant : plain;
  return variant !== undefined && variants.includes(variant);
}

/** A flag whose prerequisites are being evaluated, and how many of them hold already. */
interface Visit {
  readonly rule: CompiledRule;
  readonly extras: Extras;
  held: number;
}

const visitOf = (rule: CompiledRule, extras: Extras): Visit => ({ rule, extras, held: 0 });

/**
 * Continues the visit of a flag. Returns the flag's verdict, or the required flag that must be
 * visited first.
 */
function advance(visit: Visit, context: EvaluationContext, batch: number): Verdict | Visit {
  const { rule, extras } = visit;
  const { requires, state } = extras;
  if (state.isCyclic) return rule.off.PREREQUISITE_FAILED;
  for (; visit.held < requires.length; visit.held++) {
    const requirement = requires[visit.held];
    const parent = state.parents[visit.held];
    if (requirement === undefined || parent === undefined) return rule.off.PREREQUISITE_FAILED;
    const known = verdictWithoutVisit(parent, context, batch);
    if (known === undefined && parent.extras !== undefined) return visitOf(parent, parent.extras);
    if (known === undefined || !isMet(requirement, parent, known))
      return rule.off.PREREQUISITE_FAILED;
  }
  return decideInOrder(extras, rule.off, context);
}

/**
 * Returns the verdict of a flag that is off, was evaluated in this batch, or has no prerequisites.
 * Undefined if the flag must be visited.
 */
function verdictWithoutVisit(
  rule: CompiledRule,
  context: EvaluationContext,
  batch: number,
): Verdict | undefined {
  const { enabled, last, off, extras, memo } = rule;
  if (!enabled) return off.DISABLED;
  if (memo?.batch === batch) return memo.verdict;
  if (extras === undefined) return remember(rule, batch, decidePlain(last, off, context));
  if (extras.requires.length > 0) return undefined;
  return remember(rule, batch, decideInOrder(extras, off, context));
}

/** Remembers the verdict of a flag for the rest of the batch, if other flags require the flag. */
function remember({ memo }: CompiledRule, batch: number, verdict: Verdict): Verdict {
  if (memo !== undefined) {
    memo.batch = batch;
    memo.verdict = verdict;
  }
  return verdict;
}

/**
 * Evaluates a flag after the flags that it requires. Each required flag is evaluated once per batch.
 * A list replaces the recursion, so that the depth of prerequisites has no limit.
 */
function decideAfterParents(first: Visit, context: EvaluationContext, batch: number): Verdict {
  const visits = [first];
  for (;;) {
    const visit = visits.at(-1) ?? first;
    const found = advance(visit, context, batch);
    if ("extras" in found) visits.push(found);
    else {
      remember(visit.rule, batch, found);
      visits.pop();
      if (visits.length === 0) return found;
    }
  }
}

let batches = 0;

/**
 * Starts a batch: evaluations of many flags for one context. A flag that others require is evaluated
 * only once. The context must not change during the batch.
 */
export const newBatch = (): number => ++batches;

/**
 * Evaluates a compiled rule for one context. Never throws.
 *
 * @param rule a compiled rule; undefined when the flag does not exist
 * @param context only its own properties are read; a value that is not an object is an empty
 * context
 * @param batch the batch of the evaluation; by default a new one
 * @returns the verdict, which is a frozen object that was made when the rule was compiled
 */
export function evaluateRule(
  rule: CompiledRule | undefined,
  context: EvaluationContext,
  batch?: number,
): Verdict {
  if (rule === undefined) return FLAG_NOT_FOUND;
  if (!rule.enabled) return rule.off.DISABLED;
  try {
    const { extras, memo } = rule;
    const known =
      memo === undefined || batch === undefined
        ? undefined
        : verdictWithoutVisit(rule, context, batch);
    if (known !== undefined) return known;
    if (extras === undefined) return decidePlain(rule.last, rule.off, context);
    return extras.requires.length === 0
      ? decideInOrder(extras, rule.off, context)
      : decideAfterParents(visitOf(rule, extras), context, batch ?? newBatch());
  } catch {
    // Treats the conditions as not met, because a getter or a proxy in the context has thrown. A
    // context from JSON contains neither.
    return rule.off.CONSTRAINT_MISMATCH;
  }
}

/**
 * Evaluates a flag for one context. Never throws.
 *
 * @param rules the compiled rules of the environment by flag key
 */
export const evaluate = (
  rules: ReadonlyMap<string, CompiledRule>,
  key: string,
  context: EvaluationContext,
): Verdict => evaluateRule(rules.get(key), context);
