import { beforeAll, describe, expect, it } from "vitest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { ask, evaluateLocally, poll } from "../support/sdk.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";

/**
 * A flag of Unleash keeps every user's verdict and variant when its group id becomes `hashKey` and
 * `splitKey`. The expected results come from the functions of this file, so they share no code with
 * the service.
 */

const GROUP = "checkout-2023";
const SPLIT_SEED = 86_028_157;
const COUNT = 1000;

/** Ids of several forms: short, long, with other characters than ASCII, and numbers as texts. */
const ids = Array.from({ length: COUNT }, (_, n) => {
  const forms = [`user-${n}`, String(n * 7919), `Zoë ${n} 😀`, `${"x".repeat(n)}@example.com`];
  return forms[n % forms.length] ?? "";
});

const BITS = 32n;
const times = (one: bigint, other: bigint): bigint => BigInt.asUintN(32, one * other);
const rotated = (value: bigint, by: bigint): bigint =>
  BigInt.asUintN(32, (value << by) | (value >> (BITS - by)));
const mixed = (block: bigint): bigint =>
  times(rotated(times(block, 0xcc9e2d51n), 15n), 0x1b873593n);

/** Returns `murmur3_x86_32` of a text in UTF-8. Slow, but written with the whole numbers of any size. */
function murmur3(text: string, seed: number): number {
  const bytes = new TextEncoder().encode(text);
  let hash = BigInt(seed);
  for (let at = 0; at < bytes.length; at += 4) {
    const block = bytes
      .subarray(at, at + 4)
      .reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
    hash ^= mixed(block);
    if (at + 4 <= bytes.length)
      hash = BigInt.asUintN(32, times(rotated(hash, 13n), 5n) + 0xe6546b64n);
  }
  hash ^= BigInt(bytes.length);
  hash = times(hash ^ (hash >> 16n), 0x85ebca6bn);
  hash = times(hash ^ (hash >> 13n), 0xc2b2ae35n);
  return Number(hash ^ (hash >> 16n));
}

/** Returns `murmur3(groupId:id, seed) % buckets + 1`. */
const normalized = (id: string, buckets: number, seed: number, group = GROUP): number =>
  (murmur3(`${group}:${id}`, seed) % buckets) + 1;

const isRolledOut = (id: string, percentage: number): boolean =>
  normalized(id, 100, 0) <= percentage;

/** The weights of the variants. Their sum is 1,000. */
const WEIGHTS: readonly (readonly [variant: string, weight: number])[] = [
  ["blue", 334],
  ["red", 5],
  ["none", 0],
  ["green", 661],
];

/** Returns the first variant at which the sum of the weights reaches the normalized hash. */
function variantOf(id: string): string {
  const target = normalized(id, 1000, SPLIT_SEED);
  let sum = 0;
  for (const [variant, weight] of WEIGHTS) {
    sum += weight;
    if (sum >= target) return variant;
  }
  throw new Error("the weights do not add up to 1,000");
}

const serve = {
  weights: Object.fromEntries(WEIGHTS.map(([variant, weight]) => [variant, weight / 10])),
};
const values = {
  valueType: "string",
  variants: WEIGHTS.map(([key]) => ({ key, value: `the value of ${key}` })),
};

/** An imported strategy in both forms that it can have: the strategy's own fields, and a rule. */
const imported = (percentage: number) => ({ percentage, hashKey: GROUP, splitKey: GROUP, serve });
const NOBODY = { percentage: 0 };
const FLAGS = [
  { key: "own-fields", percentage: 37, strategy: imported(37) },
  { key: "ordered-rule", percentage: 62, strategy: { ...NOBODY, rules: [imported(62)] } },
  { key: "everybody", percentage: 100, strategy: imported(100) },
  {
    key: "second-rule",
    percentage: 1,
    strategy: { ...NOBODY, rules: [{ constraints: [inCountries("DE")] }, imported(1)] },
  },
];

/** The verdicts that Unleash gives for an id: the variant of each flag, undefined if it is off. */
const expectedFor = (id: string) =>
  Object.fromEntries(
    FLAGS.map(({ key, percentage }) => [
      key,
      isRolledOut(id, percentage) ? variantOf(id) : undefined,
    ]),
  );

/** The verdict of the service when a flag serves a variant; `undefined`: when the flag is off. */
const verdictOf = (variant: string | undefined): unknown =>
  variant === undefined
    ? { enabled: false, reason: "SPLIT" }
    : expect.objectContaining({
        enabled: true,
        reason: "SPLIT",
        variant,
        value: `the value of ${variant}`,
      });

describe("a flag with the hash key and the weights of an import", () => {
  let apiKey: string;
  let rules: ClientRule[];

  beforeAll(async () => {
    const world = await newWorld();
    ({ apiKey } = world);
    for (const { key, strategy } of FLAGS) {
      const { id } = await newFlag(world.projectId, { key, ...values });
      await setStrategy(id, {
        environmentId: world.environmentId,
        enabled: true,
        stickiness: "userId",
        ...strategy,
      });
    }
    const boolean = await newFlag(world.projectId, { key: "boolean" });
    await setStrategy(boolean.id, {
      environmentId: world.environmentId,
      enabled: true,
      percentage: 37,
      hashKey: GROUP,
    });
    rules = (await poll(apiKey)).body;
  });

  it("keeps the roll-out and the variant of 1,000 ids, when an SDK evaluates the fetched rules", () => {
    const found = ids.map((userId) => {
      const { boolean, ...verdicts } = evaluateLocally(rules, { userId });
      const served = Object.entries(verdicts).map(([key, { variant }]) => [key, variant]);
      return [boolean?.enabled, Object.fromEntries(served)];
    });
    expect(found).toEqual(ids.map((id) => [isRolledOut(id, 37), expectedFor(id)]));
  });

  it("keeps the roll-out and the variant of 1,000 ids, when the service evaluates", async () => {
    const answers = await Promise.all(ids.map((userId) => ask(apiKey, { userId })));
    for (const [n, { boolean, ...verdicts }] of answers.entries()) {
      const id = ids[n] ?? "";
      expect([id, boolean?.enabled]).toEqual([id, isRolledOut(id, 37)]);
      for (const [key, variant] of Object.entries(expectedFor(id)))
        expect([id, key, verdicts[key]]).toEqual([id, key, verdictOf(variant)]);
    }
  });

  it("is tested with a hash that gives the check values of Unleash", () => {
    expect([normalized("123", 100, 0, "gr1"), normalized("999", 100, 0, "groupX")]).toEqual([
      73, 25,
    ]);
  });

  it("is tested with ids inside and outside of every roll-out, and of every variant", () => {
    for (const { key, percentage } of FLAGS) {
      const included = ids.filter((id) => isRolledOut(id, percentage)).length;
      expect([key, included > 0, included < COUNT]).toEqual([key, true, percentage < 100]);
    }
    expect(new Set(ids.map(variantOf))).toEqual(new Set(["blue", "red", "green"]));
  });
});
