import { evaluateRule, newBatch } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { valueJson } from "@feature-flags/evaluation/verdict";
import { itemOf, type NamedRule } from "./evaluations.ts";

/** One compiled rule with the type of the flag's values; undefined: boolean. */
export interface TypedRule extends NamedRule {
  readonly type: string | undefined;
}

/** The end of the JSON of a boolean flag that is on. The JavaScript SDK fails without `variant`. */
const ON =
  `,"enabled":true,"variant":{"name":"disabled","enabled":false,"feature_enabled":true},` +
  `"impressionData":false}`;

const START = `{"toggles":[`;

/**
 * Evaluates all flags. Returns `{toggles: [{name, enabled, variant, impressionData}]}` as JSON, as the
 * front-end API of Unleash does. The list has the flags that are on, and the flags with values that
 * serve their off variant.
 */
export function togglesBody(rules: Iterable<TypedRule>, context: EvaluationContext): string {
  const batch = newBatch();
  let body = START;
  for (const { name, rule, type } of rules) {
    const verdict = evaluateRule(rule, context, batch);
    const end = type === undefined ? booleanEnd(verdict) : valuedEnd(verdict, type);
    if (end !== undefined) body += itemOf(`,{"name":${name}${end}`, body, START);
  }
  return `${body}]}`;
}

const booleanEnd = ({ enabled }: Verdict): string | undefined => (enabled ? ON : undefined);

/** Returns the JSON after the name; undefined for a flag that serves no variant. */
function valuedEnd(verdict: Verdict, type: string): string | undefined {
  const value = valueJson(verdict);
  if (value === undefined) return undefined;
  const { enabled, variant } = verdict;
  // The value of a payload is a text. The JSON of a string value is one already.
  const text = type === "string" ? value : JSON.stringify(value);
  return (
    `,"enabled":${enabled},"variant":{"name":${JSON.stringify(variant)},"enabled":true,` +
    `"payload":{"type":${JSON.stringify(type)},"value":${text}},"feature_enabled":${enabled}},` +
    `"impressionData":false}`
  );
}
