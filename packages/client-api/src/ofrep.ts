import {
  type CompiledRule,
  evaluateRule,
  hasVariants,
  newBatch,
} from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { variantJson } from "@feature-flags/evaluation/verdict";
import { itemOf, type NamedRule } from "./evaluations.ts";

/** Why a flag has no result, in the words of OFREP. */
export interface OfrepFault {
  readonly errorCode: "TARGETING_KEY_MISSING" | "FLAG_NOT_FOUND";
  readonly message: string;
}

const TARGETING_KEY_MISSING: OfrepFault = {
  errorCode: "TARGETING_KEY_MISSING",
  message: "The context does not have the id by which the flag is rolled out or split",
};

const FLAG_NOT_FOUND: OfrepFault = {
  errorCode: "FLAG_NOT_FOUND",
  message: "The flag does not exist in the environment",
};

/** The result of one flag as JSON, or the fault that says why the flag has no result. */
export type Outcome = { readonly json: string } | { readonly error: OfrepFault };

/**
 * Evaluates a flag. The JSON of a result is `{key, reason, variant?, value?, metadata?}`.
 *
 * @param name the JSON of the flag key
 * @param rule undefined when the flag does not exist
 */
export function outcomeOf(
  name: string,
  rule: CompiledRule | undefined,
  context: EvaluationContext,
): Outcome {
  if (rule === undefined) return { error: FLAG_NOT_FOUND };
  const verdict = evaluateRule(rule, context);
  if (verdict.reason === "TARGETING_KEY_MISSING") return { error: TARGETING_KEY_MISSING };
  return { json: `{"key":${name}${endOf(verdict, hasVariants(rule))}` };
}

/** The JSON of a failure among the results of a bulk evaluation, after the key. */
const FAILURE_END =
  `,"errorCode":"${TARGETING_KEY_MISSING.errorCode}",` +
  `"errorDetails":${JSON.stringify(TARGETING_KEY_MISSING.message)}}`;

/**
 * The JSON of results after the key, by verdict. Verdicts are made when rules are compiled, so each is
 * serialised once. Flags with and without variants share some verdicts, and serve different values.
 */
const ENDS = { varied: new WeakMap<Verdict, string>(), plain: new WeakMap<Verdict, string>() };

/** Returns the JSON of a result after the key. `isVaried`: see `hasVariants`. */
function endOf(verdict: Verdict, isVaried: boolean): string {
  const ends = isVaried ? ENDS.varied : ENDS.plain;
  let end = ends.get(verdict);
  if (end === undefined) {
    end = resultEnd(verdict, variantJson(verdict, isVaried));
    ends.set(verdict, end);
  }
  return end;
}

/**
 * Returns the JSON of a result after the key. If the result has no value, the client uses the default
 * in its code.
 *
 * OFREP has no reason for an off variant that is served because no rule decided. Such results have
 * the reason `DEFAULT`, and the reason of this service in `metadata.detail`.
 */
function resultEnd({ reason, rule }: Verdict, variant: string): string {
  const isDefault = reason === "CONSTRAINT_MISMATCH" || reason === "PREREQUISITE_FAILED";
  const detail = isDefault ? `,"metadata":{"detail":"${reason}"}` : "";
  const metadata = rule === undefined ? detail : `,"metadata":{"rule":${JSON.stringify(rule)}}`;
  return `,"reason":"${isDefault ? "DEFAULT" : reason}"${variant}${metadata}}`;
}

/** The environment of a bulk evaluation. */
interface Evaluated {
  readonly revision: number;
  readonly environmentId: number;
}

const START = `{"flags":[`;

/**
 * Evaluates all flags. Returns `{flags: [<result or failure>], metadata}` as JSON. Concatenates the
 * JSON of the values, which was made when the rules were compiled.
 *
 * @param more the JSON of further members of the body, with a comma before each
 */
export function resultsBody(
  rules: ReadonlyMap<string, NamedRule>,
  context: EvaluationContext,
  { revision, environmentId }: Evaluated,
  more = "",
): string {
  const batch = newBatch();
  let body = START;
  for (const { result, rule } of rules.values()) {
    const verdict = evaluateRule(rule, context, batch);
    const hasNoId = verdict.reason === "TARGETING_KEY_MISSING";
    const end = hasNoId ? FAILURE_END : endOf(verdict, hasVariants(rule));
    body += itemOf(result, body, START) + end;
  }
  return `${body}],"metadata":{"version":"${revision}","flagSetId":"${environmentId}"}${more}}`;
}
