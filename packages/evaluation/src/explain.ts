import { bucket } from "./bucket.ts";
import { compileConstraint } from "./constraint.ts";
import { contextReader, DEFAULT_STICKINESS, idReader, type Primitive } from "./context.ts";
import { compileRule, evaluate } from "./evaluate.ts";
import type { ClientRule, Constraint, EvaluationContext, Verdict } from "./rule.ts";

export interface ConstraintOutcome {
  readonly constraint: Constraint;
  /** What the context has in the field; undefined: it is missing. */
  readonly value: Primitive | undefined;
  readonly holds: boolean;
}

export interface SegmentOutcome {
  readonly name: string;
  readonly constraints: readonly ConstraintOutcome[];
  /** Never without constraints. */
  readonly holds: boolean;
}

/** Which part of everybody the context falls into. */
export interface RollOutOutcome {
  /** Percentage, 0 to 100. */
  readonly rollOut: number;
  /** The fields that are asked for an id, in order. */
  readonly fields: readonly string[];
  /** The field that gave the id, the id, and its bucket of 1 to 100; undefined: none gave one. */
  readonly placed: Placed | undefined;
}

interface Placed {
  readonly field: string;
  readonly id: string;
  readonly bucket: number;
}

/** A verdict, and every part of the rule by itself, those too that the verdict did not need. */
export interface Explanation {
  readonly verdict: Verdict;
  readonly constraints: readonly ConstraintOutcome[];
  readonly segments: readonly SegmentOutcome[];
  readonly rollOut: RollOutOutcome;
}

/** Why `evaluate` gives the verdict that it gives. For people: slower than a verdict. */
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
