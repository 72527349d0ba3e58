import { bucket, rollOutHash } from "./bucket.ts";
import { contextReader, DEFAULT_STICKINESS, idReader, type Primitive } from "./context.ts";
import {
  type CompiledRule,
  compileConstraint,
  compileRule,
  compileRules,
  evaluate,
  evaluateRule,
  isMet,
} from "./evaluate.ts";
import { rollOutPosition, splitHash, splitPosition } from "./position.ts";
import type {
  Activation,
  ClientRule,
  Constraint,
  EvaluationContext,
  Prerequisite,
  Verdict,
} from "./rule.ts";
import { allHold, isActivation, verdictOf } from "./compiled-activation.ts";

/** A constraint with its result for one context. */
export interface ConstraintOutcome {
  readonly constraint: Constraint;
  /** The value of the constraint's context field; undefined when the field is missing. */
  readonly value: Primitive | undefined;
  readonly holds: boolean;
}

/** A segment with its result for one context. */
export interface SegmentOutcome {
  readonly name: string;
  readonly constraints: readonly ConstraintOutcome[];
  /** Whether all constraints of the segment hold; false for a segment without constraints. */
  readonly holds: boolean;
}

/** The result of a percentage roll-out for one context. */
export interface RollOutOutcome {
  /** The percentage of the roll-out, 0 to 100, with up to three decimals. */
  readonly rollOut: number;
  /** The context fields that may contain the id, in the order in which they are tried. */
  readonly fields: readonly string[];
  /** The id and its bucket; undefined when no field has an id. */
  readonly placed: Placed | undefined;
}

interface Placed {
  /** The context field that contained the id. */
  readonly field: string;
  readonly id: string;
  /**
   * The bucket, 1 to 100. A roll-out of whole per cents includes the id when the bucket is at most
   * `rollOut`.
   */
  readonly bucket: number;
  /** The position, 0 to 99,999. The roll-out includes the id when it is below `rollOut` * 1000. */
  readonly position: number;
}

/** The result of a weighted split for one context. */
export interface SplitOutcome {
  /** The context fields that may contain the id, in the order in which they are tried. */
  readonly fields: readonly string[];
  /** The id with its position, 0 to 99,999; undefined when no field has an id. */
  readonly placed:
    | { readonly field: string; readonly id: string; readonly position: number }
    | undefined;
}

/**
 * What a rule did:
 *
 * - `decided`: it decided the verdict;
 * - `condition`: a constraint or a segment does not hold;
 * - `percentage`: the roll-out does not include the id;
 * - `id`: the context has no id to hash;
 * - `malformed`: the rule cannot be read, so the flag is off;
 * - `notReached`: the flag is off, a prerequisite failed, or an earlier rule ended the evaluation.
 */
export type RuleResult = "decided" | "condition" | "percentage" | "id" | "malformed" | "notReached";

/** The parts of a rule with their results, including the parts that the verdict did not depend on. */
export interface RuleOutcome {
  readonly result: RuleResult;
  readonly constraints: readonly ConstraintOutcome[];
  readonly segments: readonly SegmentOutcome[];
  readonly rollOut: RollOutOutcome;
  /** The weighted split; undefined for a rule that serves one variant. */
  readonly split: SplitOutcome | undefined;
}

/** The outcome of an ordered rule. */
export interface OrderedRuleOutcome extends RuleOutcome {
  readonly id: string;
}

/** A prerequisite with the verdict of the required flag. */
export interface PrerequisiteOutcome {
  readonly prerequisite: Prerequisite;
  /** The required flag's verdict. Its reason is `FLAG_NOT_FOUND` if the flag does not exist. */
  readonly verdict: Verdict;
  readonly holds: boolean;
}

/**
 * A verdict (the result of an evaluation) with the results of all parts of the strategy. The fields
 * that `RuleOutcome` declares are the outcome of the last rule: the strategy's own fields.
 */
export interface Explanation extends RuleOutcome {
  readonly verdict: Verdict;
  /** The ordered rules, which are tried before the last rule. */
  readonly rules: readonly OrderedRuleOutcome[];
  readonly prerequisites: readonly PrerequisiteOutcome[];
}

/**
 * Explains the verdict of `evaluate` for people. Slower than `evaluate`, because it compiles the
 * rule at each call.
 *
 * @param rule a well-formed rule; its ordered rules may be malformed
 * @param rules the rules of the environment by flag key. Needed for prerequisites only: without it,
 * they fail
 */
export function explain(
  rule: ClientRule,
  context: EvaluationContext,
  rules: ReadonlyMap<string, ClientRule> = new Map(),
): Explanation {
  const compiled = compileRules(withRequired(rule, rules));
  const flag = compiled.get(rule.key) ?? compileRule(rule);
  const verdict = evaluateRule(flag, context);
  const prerequisites = explainPrerequisites(rule, compiled, context);
  const isReached = flag.enabled && prerequisites.every(({ holds }) => holds);
  const results = resultsOf(flag, context, isReached);
  const { activation, key, rules: ordered = [] } = rule;
  return {
    verdict,
    ...explainRule(activation, key, context),
    result: results.at(-1) ?? "notReached",
    rules: ordered.map((one, index) =>
      Object.assign(explainRule(isActivation(one) ? one : UNREADABLE, key, context), {
        id: one?.id,
        result: results[index] ?? "notReached",
      }),
    ),
    prerequisites,
  };
}

/** Replaces an ordered rule that lacks a field that every rule has. */
const UNREADABLE: Activation = { rollOut: 0, constraints: [], segments: [] };

/** Returns the rule, the rules that it requires, the rules that those require, and so on. */
function withRequired(
  rule: ClientRule,
  rules: ReadonlyMap<string, ClientRule>,
): readonly ClientRule[] {
  const found = new Map([[rule.key, rule]]);
  // Also visits the entries that the loop adds.
  for (const { prerequisites = [] } of found.values())
    for (const { flagKey } of prerequisites) {
      const required = rules.get(flagKey);
      if (required !== undefined && !found.has(flagKey)) found.set(flagKey, required);
    }
  return [...found.values()];
}

function explainPrerequisites(
  { key, prerequisites = [] }: ClientRule,
  rules: ReadonlyMap<string, CompiledRule>,
  context: EvaluationContext,
): PrerequisiteOutcome[] {
  const state = rules.get(key)?.extras?.state;
  return prerequisites.map((prerequisite, index) => {
    const parent = state?.parents[index];
    const verdict = evaluate(rules, prerequisite.flagKey, context);
    const { enabled = true, variants } = prerequisite;
    const isPossible = parent !== undefined && state?.isCyclic === false;
    const holds = isPossible && isMet({ enabled, variants }, parent, verdict);
    return { prerequisite, verdict, holds };
  });
}

/** Returns what each rule of the flag did, in order. The last rule is the strategy's own fields. */
function resultsOf(
  { last, extras }: CompiledRule,
  context: EvaluationContext,
  isReached: boolean,
): RuleResult[] {
  let hasEnded = !isReached;
  return (extras?.steps ?? [last]).map((step) => {
    if (hasEnded) return "notReached";
    if (!allHold(step, context)) return "condition";
    const found = step.isReadable ? verdictOf(step, context) : "malformed";
    hasEnded = typeof found === "object" || found === "malformed";
    return typeof found === "object" ? "decided" : found;
  });
}

function explainRule(
  rule: Activation,
  flagKey: string,
  context: EvaluationContext,
): Omit<RuleOutcome, "result"> {
  const explained = (constraint: Constraint) => explainConstraint(constraint, context);
  return {
    constraints: rule.constraints.map(explained),
    segments: rule.segments.map(({ name, constraints: own }) => {
      const outcomes = own.map(explained);
      const holds = outcomes.length > 0 && outcomes.every((outcome) => outcome.holds);
      return { name, constraints: outcomes, holds };
    }),
    rollOut: explainRollOut(rule, flagKey, context),
    split: rule.slots && explainSplit(rule, flagKey, context),
  };
}

function explainConstraint(constraint: Constraint, context: EvaluationContext): ConstraintOutcome {
  const value = contextReader(constraint.field)(context);
  return { constraint, value, holds: compileConstraint(constraint)(context) };
}

/** Finds the id that a roll-out or a split hashes, and the context field that contains it. */
function findId(stickiness: string | undefined, context: EvaluationContext) {
  const fields = stickiness === undefined ? DEFAULT_STICKINESS : [stickiness];
  const field = fields.find((one) => idReader(one)(context) !== undefined);
  const id = idReader(stickiness)(context);
  return { fields, found: field !== undefined && id !== undefined ? { field, id } : undefined };
}

function explainRollOut(
  { rollOut, exactRollOut = rollOut, stickiness, hashKey }: Activation,
  flagKey: string,
  context: EvaluationContext,
): RollOutOutcome {
  const { fields, found } = findId(stickiness, context);
  const key = hashKey ?? flagKey;
  const placed = found && {
    ...found,
    bucket: bucket(key, found.id),
    position: rollOutPosition(rollOutHash(key).of(found.id)),
  };
  return { rollOut: exactRollOut, fields, placed };
}

function explainSplit(
  { stickiness, splitStickiness = stickiness, splitKey }: Activation,
  flagKey: string,
  context: EvaluationContext,
): SplitOutcome {
  const { fields, found } = findId(splitStickiness, context);
  const placed = found && {
    ...found,
    position: splitPosition(splitHash(splitKey ?? flagKey).of(found.id)),
  };
  return { fields, placed };
}
