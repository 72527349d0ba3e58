import { bucket } from "./bucket.ts";
import { compileConstraint } from "./constraint.ts";
import { contextReader, DEFAULT_STICKINESS, idReader, type Primitive } from "./context.ts";
import { compileRule, evaluate } from "./evaluate.ts";
import type { ClientRule, Constraint, EvaluationContext, Verdict } from "./rule.ts";

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
  /** The percentage of the roll-out, 0 to 100. */
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
  /** The bucket, 1 to 100. The roll-out includes the id when the bucket is at most `rollOut`. */
  readonly bucket: number;
}

/**
 * A verdict (the result of an evaluation) with the result of every part of the rule, including the
 * parts that the verdict did not depend on.
 */
export interface Explanation {
  readonly verdict: Verdict;
  readonly constraints: readonly ConstraintOutcome[];
  readonly segments: readonly SegmentOutcome[];
  readonly rollOut: RollOutOutcome;
}

/**
 * Explains the verdict of `evaluate` for people. Slower than `evaluate`, because it compiles the
 * rule at each call.
 *
 * @param rule a well-formed rule
 */
export function explain(rule: ClientRule, context: EvaluationContext): Explanation {
  const { constraints, segments } = rule.activation;
  const explained = (constraint: Constraint) => explainConstraint(constraint, context);
  return {
    verdict: evaluate(compileRule(rule), context),
    constraints: constraints.map(explained),
    segments: segments.map(({ name, constraints: own }) => {
      const outcomes = own.map(explained);
      const holds = outcomes.length > 0 && outcomes.every((outcome) => outcome.holds);
      return { name, constraints: outcomes, holds };
    }),
    rollOut: explainRollOut(rule, context),
  };
}

function explainConstraint(constraint: Constraint, context: EvaluationContext): ConstraintOutcome {
  const value = contextReader(constraint.field)(context);
  return { constraint, value, holds: compileConstraint(constraint)(context) };
}

function explainRollOut(
  { key, activation }: ClientRule,
  context: EvaluationContext,
): RollOutOutcome {
  const { rollOut, stickiness } = activation;
  const fields = stickiness === undefined ? DEFAULT_STICKINESS : [stickiness];
  const field = fields.find((one) => idReader(one)(context) !== undefined);
  const id = idReader(stickiness)(context);
  const isPlaced = field !== undefined && id !== undefined;
  return { rollOut, fields, placed: isPlaced ? { field, id, bucket: bucket(key, id) } : undefined };
}
