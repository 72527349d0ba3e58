import { parseConstraint } from "./constraint.ts";
import { isRecord } from "./record.ts";
import { Re2Pool } from "./regex.ts";
import { MAX_ENVIRONMENT_SIZE } from "./regex-pool.ts";
import { regexSize } from "./regex-size.ts";

/**
 * The limits for new constraints with the operator `matches`: the number of regular expressions in
 * a constraint, the length of each in characters, and their total size in instructions, in a
 * constraint and in all constraints of a strategy or segment (docs/use/api.md, Limits).
 */
export const MAX_REGEXES = 20;
export const MAX_REGEX_LENGTH = 256;
export const MAX_REGEX_SIZE = 2000;
export const MAX_LIST_REGEX_SIZE = MAX_ENVIRONMENT_SIZE;

/** One thing that is wrong with an invalid constraint. */
export interface ConstraintError {
  /**
   * The name of the invalid field, `values.<index>` for a single value, or "" for the whole
   * constraint.
   */
  readonly field: string;
  /** What is wrong, such as "must be a boolean". */
  readonly message: string;
  /** The limit that the constraint exceeds; undefined for another kind of error. */
  readonly limit?: "count" | "length" | "size";
}

/** Returns the values of a constraint that are regular expressions; an empty list if none are. */
const regexesOf = (constraint: unknown): readonly unknown[] =>
  isRecord(constraint) &&
  constraint["operator"] === "matches" &&
  constraint["contextType"] === "string" &&
  Array.isArray(constraint["values"])
    ? constraint["values"]
    : [];

const isTooLong = (regex: unknown): boolean =>
  typeof regex === "string" && regex.length > MAX_REGEX_LENGTH;

const TOO_MANY: ConstraintError = {
  field: "values",
  message: `must have at most ${MAX_REGEXES} regular expressions`,
  limit: "count",
};
const tooLong = (index: number): ConstraintError => ({
  field: `values.${index}`,
  message: `must be a regular expression of at most ${MAX_REGEX_LENGTH} characters`,
  limit: "length",
});

/**
 * Validates a constraint before it is stored. Does not parse regular expressions that exceed a
 * limit.
 *
 * @param constraint any value
 * @returns all errors; an empty list when the evaluator understands the constraint
 */
export function constraintErrors(constraint: unknown): ConstraintError[] {
  const regexes = regexesOf(constraint);
  const errors: ConstraintError[] = [];
  let parsed = constraint;
  if (regexes.length > MAX_REGEXES) errors.push(TOO_MANY);
  else
    for (const [index, regex] of regexes.entries())
      if (isTooLong(regex)) errors.push(tooLong(index));
  if (isRecord(constraint) && errors.length > 0) {
    const values = errors.includes(TOO_MANY)
      ? [""]
      : regexes.map((regex) => (isTooLong(regex) ? "" : regex));
    parsed = { ...constraint, values };
  }
  parseConstraint(parsed, new Re2Pool(MAX_REGEX_SIZE), (field, message, isTooLarge = false) => {
    errors.push({ field, message, ...(isTooLarge && { limit: "size" }) });
  });
  return errors;
}

/**
 * Whether the regular expressions of all constraints of a strategy or segment are small enough
 * together. Reads their text without parsing them. Does not count regular expressions that
 * `constraintErrors` rejects without parsing them.
 *
 * @param constraints any value
 */
export function isRegexSizeAllowed(constraints: unknown): boolean {
  if (!Array.isArray(constraints)) return true;
  let total = 0;
  for (const constraint of constraints)
    for (const regex of regexesOf(constraint).slice(0, MAX_REGEXES)) {
      if (typeof regex !== "string" || isTooLong(regex)) continue;
      const size = regexSize(regex, constraint["caseInsensitive"] === true);
      if (size <= MAX_REGEX_SIZE) total += size;
    }
  return total <= MAX_LIST_REGEX_SIZE;
}
