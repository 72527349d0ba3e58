import { type CompiledRule, evaluateRule, newBatch } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { verdictJson } from "@feature-flags/evaluation/verdict";

/** One compiled rule, with the text `"key":` that precedes its result in a response body. */
export interface NamedRule {
  readonly name: string;
  readonly rule: CompiledRule;
}

/**
 * Evaluates the flags with the given keys, or all flags when no keys are given. An unknown key gets
 * a result, too. Flags that are not evaluated themselves are evaluated if others require them.
 * Returns `{evaluations: {<key>: <verdict>}, revision}` as JSON. Concatenates the JSON text, because
 * an object of thousands of entries takes longer to build and serialise than the flags take to
 * evaluate.
 */
export function evaluationsBody(
  rules: ReadonlyMap<string, NamedRule>,
  context: EvaluationContext,
  toggles: readonly string[] | undefined,
  revision: number,
): string {
  const batch = newBatch();
  let entries = "";
  if (toggles && toggles.length > 0)
    for (const key of new Set(toggles)) {
      const known = rules.get(key);
      const name = known?.name ?? `${JSON.stringify(key)}:`;
      entries += `,${name}${verdictJson(evaluateRule(known?.rule, context, batch))}`;
    }
  else
    for (const { name, rule } of rules.values())
      entries += `,${name}${verdictJson(evaluateRule(rule, context, batch))}`;
  return `{"evaluations":{${entries.slice(1)}},"revision":${revision}}`;
}
