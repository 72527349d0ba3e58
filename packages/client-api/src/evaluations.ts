import { type CompiledRule, evaluateRule, newBatch } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { verdictJson } from "@feature-flags/evaluation/verdict";

/** One compiled rule, with the texts before its result in a response body. */
export interface NamedRule {
  /** The JSON of the flag key. */
  readonly name: string;
  /** The start of an entry of `evaluations`: `,"<key>":`. */
  readonly entry: string;
  /** The start of a result in the list of OFREP: `,{"key":"<key>"`. */
  readonly result: string;
  readonly rule: CompiledRule;
}

/** Returns a compiled rule with its texts. */
export function namedRule(key: string, rule: CompiledRule): NamedRule {
  const name = JSON.stringify(key);
  return { name, entry: `,${name}:`, result: `,{"key":${name}`, rule };
}

/**
 * Returns the text of an item of a list or an object without its comma if it is the first: if `body` is
 * still `start`. To cut the comma off in the end would copy the whole body.
 */
export const itemOf = (item: string, body: string, start: string): string =>
  body === start ? item.slice(1) : item;

const START = `{"evaluations":{`;

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
  let body = START;
  if (toggles && toggles.length > 0)
    for (const key of new Set(toggles)) {
      const known = rules.get(key);
      const entry = known?.entry ?? `,${JSON.stringify(key)}:`;
      body += itemOf(entry, body, START) + verdictJson(evaluateRule(known?.rule, context, batch));
    }
  else
    for (const { entry, rule } of rules.values())
      body += itemOf(entry, body, START) + verdictJson(evaluateRule(rule, context, batch));
  return `${body}},"revision":${revision}}`;
}
