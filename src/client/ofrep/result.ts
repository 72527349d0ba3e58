import { type CompiledRule, evaluateRule, hasVariants } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { variantJson } from "@feature-flags/evaluation/verdict";
import { EvaluationError } from "./errors.ts";

const TARGETING_KEY_MISSING = new EvaluationError(
  "TARGETING_KEY_MISSING",
  "The context does not have the id by which the flag is rolled out or split",
);

const FLAG_NOT_FOUND = new EvaluationError(
  "FLAG_NOT_FOUND",
  "The flag does not exist in the environment",
);

/** The result of one flag as JSON, or the error that says why the flag has no result. */
export type Outcome = { readonly json: string } | { readonly error: EvaluationError };

/**
 * Evaluates a flag. The JSON of a result is `{key, reason, variant?, value?, metadata?}`.
 *
 * @param name the JSON of the flag key
 * @param rule undefined when the flag does not exist
 * @param batch see `evaluateRule`
 */
export function outcomeOf(
  name: string,
  rule: CompiledRule | undefined,
  context: EvaluationContext,
  batch?: number,
): Outcome {
  if (rule === undefined) return { error: FLAG_NOT_FOUND };
  const verdict = evaluateRule(rule, context, batch);
  if (verdict.reason === "TARGETING_KEY_MISSING") return { error: TARGETING_KEY_MISSING };
  return { json: resultJson(name, verdict, variantJson(verdict, hasVariants(rule))) };
}

/** Returns the JSON of a failure among the results of a bulk evaluation. `name`: see `outcomeOf`. */
export const failureJson = (name: string, { errorCode, message }: EvaluationError): string =>
  `{"key":${name},"errorCode":"${errorCode}","errorDetails":${JSON.stringify(message)}}`;

/**
 * Returns the JSON of a result. If the result has no value, the client uses the default in its
 * code.
 *
 * OFREP has no reason for an off variant that is served because no rule decided. Such results have
 * the reason `DEFAULT`, and the reason of this service in `metadata.detail`.
 */
function resultJson(name: string, { reason, rule }: Verdict, variant: string): string {
  const isDefault = reason === "CONSTRAINT_MISMATCH" || reason === "PREREQUISITE_FAILED";
  const detail = isDefault ? `,"metadata":{"detail":"${reason}"}` : "";
  const metadata = rule === undefined ? detail : `,"metadata":{"rule":${JSON.stringify(rule)}}`;
  return `{"key":${name},"reason":"${isDefault ? "DEFAULT" : reason}"${variant}${metadata}}`;
}
