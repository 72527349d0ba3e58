import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import type { FileStrategy, FlagsFile } from "@feature-flags/file/file";
import { call } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newEnvironment, newKey, newProject } from "../support/world.ts";

const SEED = 20_261_126;
const RUNS = 4;
/** After this long, the property starts no further run, milliseconds. */
const LIMIT_MS = 10_000;
const IDS = 10_000;

const VARIANTS = ["blue", "red", "teal"].map((key) => ({ key, value: key }));

const SEGMENTS = {
  staff: { constraints: [{ field: "email", operator: "endsWith", values: ["@a.com"] }] },
  adults: {
    constraints: [{ field: "age", operator: "gte", values: ["18"], contextType: "number" }],
  },
};

/** Per cents with three decimals that add up to 100. */
const WEIGHTS = fc
  .tuple(fc.integer({ min: 1, max: 49_999 }), fc.integer({ min: 50_000, max: 99_999 }))
  .map(([low, high]) => ({
    blue: low / 1000,
    red: (high - low) / 1000,
    teal: (100_000 - high) / 1000,
  }));

type Weights = Readonly<Record<string, number>>;

/** What stays the same in the history of a flag. */
const SHAPE = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  percentage: fc.constantFrom(100, 62.5, 12.345),
  rulePercentage: fc.constantFrom(100, 33.3),
  stickiness: fc.constantFrom(undefined, "accountId"),
  hashKey: fc.constantFrom(undefined, "experiment"),
  splitKey: fc.constantFrom(undefined, "colours"),
  segments: fc.subarray(["staff", "adults"]),
  requiresFirst: fc.boolean(),
});
type Shape = typeof SHAPE extends fc.Arbitrary<infer T> ? T : never;

/** A step of the history: the weights of the strategy and of its rule, for each flag. */
const STEP = fc.array(fc.tuple(WEIGHTS, WEIGHTS), { minLength: 3, maxLength: 3 });
type Step = readonly (readonly [Weights, Weights])[];

function strategyOf(shape: Shape, [own, ofRule]: readonly [Weights, Weights]): FileStrategy {
  const { enabled, percentage, rulePercentage, segments, stickiness, hashKey, splitKey } = shape;
  return {
    enabled,
    ...(percentage !== 100 && { percentage }),
    ...(stickiness !== undefined && { stickiness }),
    ...(hashKey !== undefined && { hashKey }),
    ...(splitKey !== undefined && { splitKey }),
    serve: { weights: own },
    rules: [
      {
        id: "rule",
        name: "Rule",
        ...(segments.length > 0 && { segments }),
        ...(rulePercentage !== 100 && { percentage: rulePercentage }),
        serve: { weights: ofRule },
      },
    ],
  };
}

const flagsOf = (shapes: readonly Shape[], step: Step): FlagsFile["flags"] =>
  Object.fromEntries(
    shapes.map((shape, n) => [
      `flag-${n}`,
      Object.assign(
        {
          name: `Flag ${n}`,
          flagType: "RELEASE" as const,
          valueType: "string" as const,
          variants: VARIANTS,
          environments: {
            production: strategyOf(shape, step[n] ?? [{ blue: 100 }, { red: 100 }]),
          },
        },
        n > 0 && shape.requiresFirst && { prerequisites: [{ flagKey: "flag-0" }] },
      ),
    ]),
  );

/** An empty project, and the key of an SDK in its environment `production`. */
async function newShop() {
  const { id, name } = await newProject();
  const environment = await newEnvironment(id);
  await asAdmin("PUT", `/api/v1/environments/${environment.id}`, { name: "production" });
  const { apiKey } = await newKey(environment.id);
  return { id: id as number, name: name as string, apiKey: apiKey as string };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

async function apply({ id, name }: Shop, rest: object): Promise<void> {
  const body = { file: { version: 1, ...rest, project: name } };
  const planned = await asAdmin("POST", `/api/v1/projects/${id}/plan`, body);
  expect(outcome(planned)).toBe("200");
  const headers = { "If-Match": `"${planned.body.id}"` };
  const token = await adminToken();
  const applied = await call("POST", `/api/v1/projects/${id}/apply`, { token, body, headers });
  expect(outcome(applied)).toBe("200");
}

/** Returns the bytes of the export without the name of the project, which is unique. */
async function exported({ id, name }: Shop): Promise<string> {
  const { body } = await asAdmin("GET", `/api/v1/projects/${id}/export`);
  return JSON.stringify(body).replace(JSON.stringify(name), '"shop"');
}

/** Returns the verdicts of all flags for 10,000 ids, as an SDK evaluates them. */
async function verdicts({ apiKey }: Shop): Promise<string> {
  const { body } = await poll(apiKey);
  const rules = compileRules(body);
  return JSON.stringify(
    Array.from({ length: IDS }, (_, n) =>
      Array.from(rules.keys(), (key) => {
        const context = {
          targetingKey: `user-${n}`,
          accountId: `account-${n % 997}`,
          email: `u@${n % 3 === 0 ? "a" : "b"}.com`,
          age: n % 80,
        };
        const { enabled, variant, reason } = evaluate(rules, key, context);
        return [enabled, variant, reason];
      }),
    ),
  );
}

it("an export of a random project with a history of weights makes an equal project: the same bytes, and the same verdicts for 10,000 ids, also after further weights", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(SHAPE, { minLength: 1, maxLength: 3 }),
      fc.array(STEP, { minLength: 2, maxLength: 4 }),
      STEP,
      async (shapes, history, next) => {
        const [shop, other] = [await newShop(), await newShop()];
        for (const step of history)
          await apply(shop, { segments: SEGMENTS, flags: flagsOf(shapes, step) });
        const file = await exported(shop);
        const { project: _, ...content } = JSON.parse(file) as FlagsFile;
        await apply(other, content);
        expect(await exported(other)).toBe(file);
        expect(await verdicts(other)).toBe(await verdicts(shop));
        for (const one of [shop, other]) await apply(one, { flags: flagsOf(shapes, next) });
        expect(await exported(other)).toBe(await exported(shop));
        expect(await verdicts(other)).toBe(await verdicts(shop));
      },
    ),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS },
  );
});
