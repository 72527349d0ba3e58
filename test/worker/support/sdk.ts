import { compileRules, evaluateRule } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { call } from "./client.ts";

/** Fetches the rules as a polling SDK does. */
export function poll(apiKey: string, options: { etag?: string; since?: string } = {}) {
  const query = options.since === undefined ? "" : `?since=${encodeURIComponent(options.since)}`;
  const headers: Record<string, string> =
    options.etag === undefined ? {} : { "If-None-Match": options.etag };
  return call<ClientRule[]>("GET", `/api/client/features${query}`, { token: apiKey, headers });
}

/** The rules of an SDK after a delta: the delta replaces rules, and removes archived ones. */
export function merged(rules: readonly ClientRule[], delta: readonly ClientRule[]): ClientRule[] {
  const byKey = new Map(rules.map((rule) => [rule.key, rule]));
  for (const rule of delta)
    if (rule.archived) byKey.delete(rule.key);
    else byKey.set(rule.key, rule);
  return [...byKey.values()];
}

/** The results that the server evaluates for one evaluation context, by flag key. */
export async function ask(
  apiKey: string,
  context: EvaluationContext,
  toggles?: readonly string[],
): Promise<Record<string, Verdict>> {
  const body = { context, ...(toggles && { toggles }) };
  const answer = await call("POST", "/api/client/evaluate", { token: apiKey, body });
  if (answer.status !== 200) throw new Error(`evaluate: ${answer.status}`);
  return answer.body.evaluations;
}

/** The results of an SDK that evaluates the fetched rules locally, by flag key. */
export function evaluateLocally(
  rules: readonly ClientRule[],
  context: EvaluationContext,
): Record<string, Verdict> {
  const compiled = compileRules(rules);
  return Object.fromEntries([...compiled].map(([key, rule]) => [key, evaluateRule(rule, context)]));
}
