import { CONTEXT_TYPES, findOperator, OPERATORS, operatorsOf } from "./operators.ts";
import type { Operator, Predicate } from "./predicates.ts";
import type { RegexPool } from "./regex-pool.ts";
import type { EvaluationContext } from "./rule.ts";

/** A compiled constraint: a function that returns whether the constraint holds for a context. */
export type Condition = (context: EvaluationContext) => boolean;

/** A well-formed constraint, parsed. */
interface ParsedConstraint {
  readonly field: string;
  readonly predicate: Predicate;
  /**
   * Whether to negate the result of `predicate`. For a missing context field, the result before the
   * negation is false.
   */
  readonly isNegated: boolean;
}

/**
 * A callback for each error of a constraint. `field`: the invalid field, `values.<index>` for one
 * value, or "" for the whole constraint. `isTooLarge`: the value is a regular expression that is too
 * large.
 */
type Report = (field: string, message: string, isTooLarge?: boolean) => void;

function optionalBoolean(value: unknown, field: string, report: Report): boolean {
  if (value !== undefined && typeof value !== "boolean") report(field, "must be a boolean");
  return value === true;
}

function parseOperator(
  contextType: unknown,
  name: unknown,
  report: Report,
): ReturnType<typeof findOperator> {
  if (typeof contextType !== "string" || !CONTEXT_TYPES.some((type) => type === contextType)) {
    report("contextType", `must be one of ${CONTEXT_TYPES.join(", ")}`);
    if (!OPERATORS.some((known) => known === name)) report("operator", "is not a known operator");
    return undefined;
  }
  const found = typeof name === "string" ? findOperator(contextType, name) : undefined;
  if (found === undefined)
    report("operator", `must fit ${contextType}: one of ${operatorsOf(contextType).join(", ")}`);
  return found;
}

/**
 * Returns the values of a constraint; undefined when not all are strings. Unlike an array from
 * JSON, `values` may have holes. A hole is reported as an invalid value.
 */
function parseValues(values: unknown, report: Report): string[] | undefined {
  if (!Array.isArray(values)) {
    report("values", "must be an array of strings");
    return undefined;
  }
  const strings: string[] = [];
  for (const [index, value] of values.entries())
    if (typeof value === "string") strings.push(value);
    else report(`values.${index}`, "must be a string");
  return strings.length === values.length ? strings : undefined;
}

/** The outputs of parsing a constraint: its regular expressions, and its errors. */
interface Output {
  readonly regexes: RegexPool;
  readonly report: Report;
}

/** The parts of a constraint on which its predicate depends, besides the operator. */
interface Operands {
  readonly field: string;
  readonly values: readonly string[];
  readonly caseInsensitive: boolean;
}

function compilePredicate(
  operator: Operator,
  { field, values, caseInsensitive }: Operands,
  { regexes, report }: Output,
): Predicate | undefined {
  if (operator.needsValues && values.length === 0) {
    report("values", "must have at least one value");
    return undefined;
  }
  const compiled = operator.compile(values, caseInsensitive, regexes, field);
  if ("test" in compiled) return compiled;
  for (const { index, message, isTooLarge } of compiled)
    report(`values.${index}`, message, isTooLarge);
  return undefined;
}

function parse(constraint: object, { regexes, report }: Output): ParsedConstraint | undefined {
  const given: Readonly<Record<string, unknown>> = { ...constraint };
  let isSound = true;
  const fail: Report = (...error) => {
    isSound = false;
    report(...error);
  };
  const field = typeof given["field"] === "string" ? given["field"] : "";
  if (field === "") fail("field", "must be a non-empty string");
  const found = parseOperator(given["contextType"], given["operator"], fail);
  const values = parseValues(given["values"], fail);
  const caseInsensitive = optionalBoolean(given["caseInsensitive"], "caseInsensitive", fail);
  const isInverted = optionalBoolean(given["inverted"], "inverted", fail);
  const predicate =
    found &&
    values &&
    compilePredicate(found.operator, { field, values, caseInsensitive }, { regexes, report: fail });
  if (caseInsensitive && given["contextType"] !== "string")
    // Reports `caseInsensitive` as an error for every context type except string. Evaluation
    // ignores the field for these types.
    report("caseInsensitive", "fits the context type string only");
  return isSound && predicate
    ? { field, predicate, isNegated: found.isNegative !== isInverted }
    : undefined;
}

/**
 * Parses a constraint. Validation and evaluation share this parser, so the evaluator understands
 * everything that the management API accepts.
 *
 * @param constraint any value
 * @param regexes compiles the regular expressions of the constraint
 * @param report is called with each error
 * @returns undefined for a malformed constraint
 */
export function parseConstraint(
  constraint: unknown,
  regexes: RegexPool,
  report: Report = () => {},
): ParsedConstraint | undefined {
  if (typeof constraint === "object" && constraint !== null)
    return parse(constraint, { regexes, report });
  report("", "must be an object");
  return undefined;
}

/**
 * A condition that never holds. A malformed constraint becomes this condition, even with
 * `inverted`, because an unreadable rule must not reach more users.
 */
export const NEVER: Condition = () => false;

/**
 * Compiles a constraint into a condition. A malformed constraint becomes `NEVER`, and so does a
 * constraint with a regular expression that is larger than what `regexes` has left.
 */
export function compileConstraint(constraint: unknown, regexes: RegexPool): Condition {
  const parsed = parseConstraint(constraint, regexes);
  if (parsed === undefined) return NEVER;
  const { field, predicate, isNegated } = parsed;
  const { test } = predicate;
  const read = regexes.readings.reader(field, predicate.read);
  return (context) => {
    const operand = read(context);
    return (operand !== undefined && test(operand)) !== isNegated;
  };
}
