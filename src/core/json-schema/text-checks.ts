import { format as formats } from "@cfworker/json-schema";
import type { RegexPool } from "@feature-flags/evaluation/regex-pool";
import { regexSize } from "@feature-flags/evaluation/regex-size";
import type { Budget } from "./budget.ts";

/**
 * The formats that are checked: those that the validator checks in linear time. Another format is an
 * annotation.
 */
const CHECKED_FORMATS: ReadonlySet<unknown> = new Set([
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uuid",
  "json-pointer",
]);

/** The steps of reading a character once, and of comparing it with one instruction of a regex. */
const STEPS_PER_CHARACTER = 0.2;
const STEPS_PER_INSTRUCTION = 0.3;

/** Whether a text is allowed. */
export type TextCheck = (text: string) => boolean;

/** The keywords of a schema that check texts. */
export const TEXT_KEYWORDS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
]);

/** Compiles a regular expression of the schema. Each use spends steps of the budget. */
export function regexCheck(pattern: string, regexes: RegexPool, budget: Budget): TextCheck {
  const regex = regexes.compile(pattern, false);
  if (typeof regex === "string") throw new Error("the schema was not read");
  const steps = STEPS_PER_INSTRUCTION * regexSize(pattern, false);
  return (text) => {
    budget.spend(steps * (text.length + 1));
    return regex.test(text);
  };
}

/**
 * Returns the check of a keyword of `TEXT_KEYWORDS`, with its error message. Undefined for a format
 * that is not checked.
 */
export function textCheck(
  [keyword, value]: readonly [keyword: string, value: unknown],
  regexes: RegexPool,
  budget: Budget,
): readonly [message: string, check: TextCheck] | undefined {
  const counted =
    (check: TextCheck): TextCheck =>
    (text) => {
      budget.spend(STEPS_PER_CHARACTER * text.length);
      return check(text);
    };
  switch (keyword) {
    case "minLength":
      return [
        `must have at least ${String(value)} characters`,
        counted((text) => lengthOf(text) >= Number(value)),
      ];
    case "maxLength":
      return [
        `must have at most ${String(value)} characters`,
        counted((text) => lengthOf(text) <= Number(value)),
      ];
    case "pattern":
      return [`must match ${String(value)}`, regexCheck(String(value), regexes, budget)];
    default: {
      const isValid = CHECKED_FORMATS.has(value) ? formats[String(value)] : undefined;
      return isValid && [`must have the format ${String(value)}`, counted(isValid)];
    }
  }
}

/** Returns the number of characters. A surrogate pair is one character (JSON Schema, 6.3.1). */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
