import { z } from "@hono/zod-openapi";
import { evaluate as evaluateRule } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { body, json, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { readBody } from "../http/json.ts";
import type { CompiledRules } from "./rule-set.ts";
import { type ClientCall, type ClientResponse, type ClientRoute, FRESHNESS } from "./surface.ts";

/**
 * The most flag keys and the most fields of the evaluation context in a request. These limits are
 * part of the API (docs/decisions.md, 4.6).
 */
const MAX_TOGGLES = 1000;
const MAX_CONTEXT_KEYS = 100;

const evaluateRequest = z
  .object({
    context: z.record(z.string(), z.unknown()),
    toggles: z
      .array(z.string().max(512))
      .max(MAX_TOGGLES)
      .optional()
      .openapi({ description: "The keys of the flags to evaluate; all flags by default" }),
  })
  .refine(({ context }) => Object.keys(context).length <= MAX_CONTEXT_KEYS, {
    path: ["context"],
    message: `must have at most ${MAX_CONTEXT_KEYS} keys`,
  })
  .openapi("Evaluate", {
    example: { context: { userId: "ann", country: "DE" }, toggles: ["new-checkout"] },
  });

const reason = z.enum([
  "DISABLED",
  "TARGETING_MATCH",
  "SPLIT",
  "STATIC",
  "CONSTRAINT_MISMATCH",
  "TARGETING_KEY_MISSING",
  "FLAG_NOT_FOUND",
]);

const evaluateResponse = z
  .object({
    evaluations: z.record(z.string(), z.object({ enabled: z.boolean(), reason })),
    revision: z.int(),
  })
  .openapi("Evaluations", {
    example: {
      evaluations: { "new-checkout": { enabled: true, reason: "SPLIT" } },
      revision: 8,
    },
  });

export const evaluate: ClientRoute = {
  permission: "rules:evaluate",
  contract: {
    method: "post",
    path: "/evaluate",
    operationId: "evaluateFlags",
    summary: "Evaluate flags for one context",
    description:
      "For clients that cannot evaluate flags themselves, and for public keys (`FRONTEND`).",
    tags: ["Client"],
    ...sdkHeaders,
    request: { body: body(evaluateRequest) },
    responses: {
      200: json(evaluateResponse, "The verdicts by flag key", ...FRESHNESS),
      ...errors(400, 401, 403),
    },
  },
  respond,
};

async function respond({ c, served, edge, ports }: ClientCall): Promise<ClientResponse> {
  edge.markInstance(ports, served, c.req.raw.headers);
  const { context, toggles } = await readBody(c, evaluateRequest);
  const { set, stale } = served;
  const rules = edge.rules.compiled(set);
  return {
    status: 200,
    headers: set.headersOf("verdicts", stale),
    body: evaluationsBody(rules, context, toggles, set.snapshot.revision),
  };
}

/**
 * Evaluates the flags with the given keys, known or not; without keys, all flags. Returns
 * `{evaluations: {<key>: {enabled, reason}}, revision}` as JSON. Concatenates text, because an
 * object of thousands of entries costs more to build and serialise than their evaluation.
 */
function evaluationsBody(
  rules: CompiledRules,
  context: EvaluationContext,
  toggles: readonly string[] | undefined,
  revision: number,
): string {
  let entries = "";
  if (toggles && toggles.length > 0)
    for (const key of new Set(toggles)) {
      const known = rules.byKey.get(key);
      const name = known?.name ?? `${JSON.stringify(key)}:`;
      entries += `,${name}${rules.json(evaluateRule(known?.rule, context))}`;
    }
  else
    for (const { name, rule } of rules.byKey.values())
      entries += `,${name}${rules.json(evaluateRule(rule, context))}`;
  return `{"evaluations":{${entries.slice(1)}},"revision":${revision}}`;
}
