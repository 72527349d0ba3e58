import {
  createClient,
  type EvaluationContext,
  type FlagClient,
  type FlagResult,
} from "@feature-flags/sdk";
import constraints from "@feature-flags/evaluation/vectors/constraints" with { type: "json" };
import prerequisites from "@feature-flags/evaluation/vectors/prerequisites" with { type: "json" };
import rules from "@feature-flags/evaluation/vectors/rules" with { type: "json" };
import values from "@feature-flags/evaluation/vectors/values" with { type: "json" };
import verdicts from "@feature-flags/evaluation/vectors/verdicts" with { type: "json" };
import { describe, expect, it } from "vitest";

interface Expected {
  readonly enabled: boolean;
  readonly reason: string;
  readonly variant?: string;
  readonly value?: unknown;
  readonly rule?: string;
}

interface Vector {
  readonly name: string;
  readonly rules: readonly unknown[];
  readonly key: string;
  readonly context: EvaluationContext;
  readonly expected: Expected;
}

/** Returns a flag that is on for everybody for whom the constraint holds. */
const constraintVectors = (constraints as readonly unknown[]).map((vector) => {
  const { name, constraint, context, expected } = vector as {
    name: string;
    constraint: unknown;
    context: EvaluationContext;
    expected: boolean;
  };
  const activation = { rollOut: 100, constraints: [constraint], segments: [] };
  return {
    name,
    rules: [{ key: "flag", name: "flag", enabled: true, activation }],
    key: "flag",
    context,
    expected: { enabled: expected, reason: expected ? "TARGETING_MATCH" : "CONSTRAINT_MISMATCH" },
  };
});

const verdictVectors = (verdicts as readonly unknown[]).map((vector) => {
  const { name, rule, context, expected } = vector as Vector & { rule: unknown };
  const key = (rule as { key?: unknown } | null)?.key;
  return { name, rules: [rule], key: typeof key === "string" ? key : "", context, expected };
});

const VECTORS: Readonly<Record<string, readonly Vector[]>> = {
  "constraints.json": constraintVectors,
  "verdicts.json": verdictVectors,
  "rules.json": rules,
  "values.json": values,
  "prerequisites.json": prerequisites,
};

/** Creates a client that has only the given rules, and no service. */
async function clientOf(given: readonly unknown[]): Promise<FlagClient> {
  const client = createClient({
    url: "https://flags.test",
    key: "none",
    updates: "manual",
    bootstrap: { format: 1, revision: 1, etag: '"1-0"', rules: given as [] },
    fetch: () => Promise.reject(new Error("there is no service")),
  });
  await client.ready();
  return client;
}

const FALLBACK = { is: "the default" };

/**
 * Returns what a client says about a flag: its result among the results of all flags, and its
 * result alone.
 */
function observed(client: FlagClient, key: string, context: EvaluationContext) {
  const result = client.all(context)[key];
  const value = result?.value;
  const type = typeof value;
  const isPrimitive = type === "boolean" || type === "string" || type === "number";
  const alone = client.details(key, FALLBACK, context, isPrimitive ? type : "json");
  return { result, value: alone.value as unknown, why: alone.errorCode ?? alone.reason };
}

/**
 * Returns what a client should say about a flag. `hasVariants`: false for a boolean flag without
 * variants.
 */
function wanted(expected: Expected, hasVariants: boolean): ReturnType<typeof observed> {
  const { enabled, reason } = expected;
  const plain = { variant: enabled ? "on" : "off", value: enabled };
  const result = (hasVariants ? expected : { ...plain, ...expected }) as FlagResult;
  const isDefault = reason === "TARGETING_KEY_MISSING" || result.value === undefined;
  return { result, value: isDefault ? FALLBACK : result.value, why: result.reason };
}

const NOT_FOUND = { result: undefined, value: FALLBACK, why: "FLAG_NOT_FOUND" };

/** Runs the test vectors of the evaluation through the public API of the client. */
export function describeConformance(): void {
  describe.each(Object.entries(VECTORS))("a client, for the vectors of %s,", (_, vectors) => {
    it.each(vectors)("returns the expected result: $name", async (vector) => {
      const { rules: given, key, context, expected } = vector;
      const client = await clientOf(given);
      const found = observed(client, key, context);
      const isPlain = expected.variant === undefined && found.result?.variant !== undefined;
      // A client ignores a rule without a key.
      const isFlag = key !== "" && expected.reason !== "FLAG_NOT_FOUND";
      expect(found).toEqual(isFlag ? wanted(expected, !isPlain) : NOT_FOUND);
    });
  });
}
