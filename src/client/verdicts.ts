import { evaluate } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import type { CompiledRules } from "./rule-set.ts";

/** Verdicts are a few shared objects: each is serialised once. */
const serialised = new Map<Verdict, string>();

function verdictJson(verdict: Verdict): string {
  let text = serialised.get(verdict);
  if (text === undefined) {
    text = JSON.stringify(verdict);
    serialised.set(verdict, text);
  }
  return text;
}

/**
 * The answer to an evaluation, `{evaluations: {<key>: {enabled, reason}}, revision}` as JSON: of the
 * flags that are asked for, known or not, or of all when none is. Written as text, because an object
 * of thousands of entries costs more to build and serialise than the verdicts themselves.
 */
export function evaluationsBody(
  rules: CompiledRules,
  context: EvaluationContext,
  toggles: readonly string[] | undefined,
  revision: number,
): string {
  let entries = "";
  if (toggles && toggles.length > 0)
    for (const key of new Set(toggles)) {
      const known = rules.get(key);
      const name = known?.name ?? `${JSON.stringify(key)}:`;
      entries += `,${name}${verdictJson(evaluate(known?.rule, context))}`;
    }
  else
    for (const { name, rule } of rules.values())
      entries += `,${name}${verdictJson(evaluate(rule, context))}`;
  return `{"evaluations":{${entries.slice(1)}},"revision":${revision}}`;
}
