import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import type { JsonProblem } from "./json-problem.ts";

export type SchemaCheck = (value: unknown) => readonly JsonProblem[];

/**
 * Returns a function that checks values against a JSON Schema (2020-12) while the user types. The API
 * checks them again, by a subset of the keywords (docs/use/api.md), with messages of its own.
 * Returns undefined for a schema that the library cannot read, and for one with
 * `patternProperties`.
 *
 * The keyword `pattern` is left to the API. The library would run it as a JavaScript regular
 * expression, which can take so long that the tab of the browser hangs.
 */
export function schemaCheck(schema: object): SchemaCheck | undefined {
  try {
    const copy: Schema = structuredClone(schema);
    const schemas = dereference(copy);
    for (const one of Object.values(schemas)) {
      if (typeof one !== "object") continue;
      if (one.patternProperties) return undefined;
      delete one.pattern;
    }
    const check: SchemaCheck = (value) =>
      problemsOf(validate(value, copy, "2020-12", schemas, false).errors);
    // The library finds some faults of a schema only when it validates a value.
    check(null);
    return check;
  } catch {
    return undefined;
  }
}

/** The library reports a wrong part also for each value that contains it. Keeps the part alone. */
function problemsOf(errors: readonly OutputUnit[]): JsonProblem[] {
  const isAround = (outer: OutputUnit, inner: OutputUnit): boolean =>
    inner.keywordLocation.startsWith(`${outer.keywordLocation}/`) ||
    // The library gives the schema `false` the location of the value.
    (inner.keyword === "false" &&
      /^(?:additional|unevaluated)/.test(outer.keyword) &&
      inner.instanceLocation.startsWith(`${outer.instanceLocation}/`));
  return errors
    .filter((error) => !errors.some((other) => isAround(error, other)))
    .map(({ instanceLocation, keyword, error }) => ({
      pointer: decodeURI(instanceLocation.slice(1)),
      message: messageOf(keyword, error),
    }));
}

/** Rewords the messages of the library that do not say what the schema allows. */
function messageOf(keyword: string, error: string): string {
  if (keyword === "false") return "The schema does not allow this.";
  const [, value, limit] = /^(\S+) is (?:greater|less) than (\S+?)\.?$/.exec(error) ?? [];
  if (value === undefined) return error;
  if (keyword === "maximum") return `${value} exceeds the schema's maximum of ${limit}.`;
  return keyword === "minimum" ? `${value} is below the schema's minimum of ${limit}.` : error;
}
