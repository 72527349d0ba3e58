import type { FileConstraint } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { MAX_CONSTRAINTS, MAX_RULES, MAX_SEGMENTS } from "./limits.ts";
import { Refusal } from "./report.ts";

/** A condition of another service, whose parts are constraints and segments of the file. */
export type Condition =
  | boolean
  | { readonly constraint: FileConstraint }
  | { readonly segment: string; readonly constraints: readonly FileConstraint[] }
  | { readonly not: Condition }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

/** What a rule of the file needs to hold: all of these constraints and segments. */
export interface Conjunction {
  readonly constraints: readonly FileConstraint[];
  readonly segments: readonly string[];
}

const ALWAYS: Conjunction = { constraints: [], segments: [] };

/**
 * Returns what must hold for a condition: one of these conjunctions, each of which becomes a rule. An
 * empty list means that the condition never holds. Throws: Refusal (`tooManyRules`) above 51
 * conjunctions, which are 50 rules and the strategy's own fields; Refusal (`tooManyConstraints`,
 * `tooManySegments`) if one of them has more than 50 constraints or 20 segments.
 */
export function alternativesOf(condition: Condition, isNegated = false): readonly Conjunction[] {
  if (typeof condition === "boolean") return condition === isNegated ? [] : [ALWAYS];
  if ("not" in condition) return alternativesOf(condition.not, !isNegated);
  if ("constraint" in condition)
    return [{ constraints: [inverted(condition.constraint, isNegated)], segments: [] }];
  if ("segment" in condition)
    return isNegated
      ? condition.constraints.map((one) => ({ constraints: [inverted(one, true)], segments: [] }))
      : [{ constraints: [], segments: [condition.segment] }];
  const parts = "all" in condition ? condition.all : condition.any;
  return "all" in condition === isNegated
    ? withinLimit(parts.flatMap((part) => alternativesOf(part, isNegated)))
    : parts.reduce<readonly Conjunction[]>(
        (before, part) => product(before, alternativesOf(part, isNegated)),
        [ALWAYS],
      );
}

const inverted = ({ inverted: is = false, ...rest }: FileConstraint, isNegated: boolean) =>
  is === isNegated ? rest : { ...rest, inverted: true };

const product = (one: readonly Conjunction[], other: readonly Conjunction[]) =>
  withinLimit(one.flatMap((first) => other.map((second) => joined(first, second))));

function joined(one: Conjunction, other: Conjunction): Conjunction {
  const constraints = [...one.constraints];
  for (const more of other.constraints)
    if (!constraints.some((known) => isSame(known, more))) constraints.push(more);
  return { constraints, segments: [...new Set([...one.segments, ...other.segments])] };
}

function withinLimit(list: readonly Conjunction[]): readonly Conjunction[] {
  // The last alternative can be the strategy's own fields.
  if (list.length > MAX_RULES + 1) throw new Refusal("tooManyRules", { limit: MAX_RULES });
  for (const { constraints, segments } of list) {
    assertConstraints(constraints);
    if (segments.length > MAX_SEGMENTS)
      throw new Refusal("tooManySegments", { count: segments.length, limit: MAX_SEGMENTS });
  }
  return list;
}

/** Throws: Refusal (`tooManyConstraints`) above the 50 constraints of a rule or a segment. */
export function assertConstraints({ length: count }: readonly unknown[]): void {
  if (count > MAX_CONSTRAINTS)
    throw new Refusal("tooManyConstraints", { count, limit: MAX_CONSTRAINTS });
}
