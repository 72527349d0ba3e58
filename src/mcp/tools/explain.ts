import {
  type ConstraintOutcome,
  explain,
  type RuleOutcome,
  type SegmentOutcome,
} from "@feature-flags/evaluation/explain";
import type { ClientRule, Verdict } from "@feature-flags/evaluation/rule";
import { z } from "zod";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { getFlagByKey } from "../../management/flags/key-service.ts";
import { getStrategy } from "../../management/strategies/service.ts";
import { cut, cutText, fitting } from "../session/fit.ts";
import { environmentNamed, environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { environmentInput, flagInput, projectInput } from "./flag.ts";
import type { Tool } from "./tool.ts";

/** The greatest size of a context, bytes of JSON. */
const MAX_CONTEXT_BYTES = 8192;
/** The most conditions of a rule that the result names. Fewer if the result would be too large. */
const MAX_FAILED = 16;

const input = z.strictObject({
  ...projectInput,
  flag: flagInput,
  environment: environmentInput,
  context: z
    .record(z.string(), z.unknown())
    .refine((context) => jsonBytes(context) <= MAX_CONTEXT_BYTES, "must have at most 8 KB of JSON")
    .describe("The user, such as {targetingKey, country}. Not stored"),
});

const output = z.object({
  on: z.boolean(),
  variant: z.string().nullable(),
  value: z.unknown(),
  reason: z.string(),
  revision: z.int(),
  rules: z.array(
    z.object({ name: z.string().nullable(), result: z.string(), failed: z.array(z.string()) }),
  ),
});

/**
 * Explains what a flag serves to one user, with the rules that SDKs have. Neither stores nor logs the
 * context.
 */
export const explainFlag: Tool<typeof input, typeof output> = {
  name: "explain",
  title: "Explain a flag for a user",
  description:
    "Evaluates a flag for one user and says what each rule did and which conditions failed. The last " +
    "rule has no name.",
  effect: "reads",
  input,
  output,
  run: async (session, { project, flag: key, environment, context }) => {
    const call = callOfAgent(session);
    const projectId = await projectOf(call, project);
    const { id: environmentId, revision } = environmentNamed(
      await environmentsOf(call, projectId),
      environment,
    );
    const flag = await getFlagByKey(call, { projectId, key });
    const { edge, client } = session.ports;
    const served = await edge.serveEnvironment(client, environmentId);
    const { set } = await edge.atLeast(client, served, revision);
    const rules = new Map(set.rules().map((rule) => [rule.key, rule]));
    const rule = rules.get(flag.key);
    const found = { revision: set.snapshot.revision };
    if (!rule)
      return {
        ...found,
        on: false,
        variant: null,
        value: null,
        reason: "FLAG_NOT_FOUND",
        rules: [],
      };
    const { content } = await getStrategy(call, { flagId: flag.id, environmentId });
    const names = new Map(content.rules.map(({ id, name }) => [id, name]));
    const explained = explain(rule, context, rules);
    const { verdict } = explained;
    const { variant, value } = servedBy(rule, verdict);
    return fitting((max) => ({
      ...found,
      on: verdict.enabled,
      variant,
      value: cut(value, max),
      reason: verdict.reason,
      rules: [
        ...explained.rules.map((one) => shownRule(names.get(one.id) ?? null, one, max)),
        shownRule(null, explained, max),
      ],
    }));
  },
};

/** Returns the variant of a verdict with its value. Verdicts of plain boolean flags have neither. */
function servedBy({ type = "boolean" }: ClientRule, { enabled, variant, value }: Verdict) {
  if (variant === undefined && type === "boolean")
    return { variant: enabled ? "on" : "off", value: enabled };
  return { variant: variant ?? null, value: value ?? null };
}

/** Shows a rule. `max` limits each text, characters, and with it the number of conditions. */
function shownRule(
  name: string | null,
  { result, constraints, segments, rollOut }: RuleOutcome,
  max: number,
) {
  const failed = [
    ...constraints.filter(fails).map(conditionText),
    ...segments.filter(fails).map((one) => `segment ${one.name}`),
    ...(result === "percentage" ? [`roll-out ${rollOut.rollOut} %`] : []),
    ...(result === "id" ? [`no id in ${rollOut.fields.join(", ")}`] : []),
  ];
  const count = Math.min(MAX_FAILED, Math.floor(max / 32));
  return {
    name: name === null ? null : cutText(name, Math.max(max, 20)),
    result,
    failed: failed.slice(0, count).map((text) => cutText(text, max)),
  };
}

const fails = ({ holds }: ConstraintOutcome | SegmentOutcome): boolean => !holds;

/** Describes a condition, without the value of the context. */
function conditionText({ constraint }: ConstraintOutcome): string {
  const { field, operator, values, inverted } = constraint;
  return `${inverted ? "not " : ""}${field} ${operator} ${values.join(", ")}`.trim();
}
