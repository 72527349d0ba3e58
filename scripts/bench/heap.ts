import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MAX_CACHE_BYTES, RuleCache } from "../../src/client/rule-cache.ts";
import { RuleSet } from "../../src/client/rule-set.ts";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { type FixtureFlag, fixtureFlags, SEGMENT, segmentConstraints } from "./fixtures.ts";
import { sequentially } from "./sequentially.ts";

const SETS = 10;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns the bytes in use on V8's heap after a full garbage collection. */
function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function toRule({ key, name, enabled, percentage, constraints, segment }: FixtureFlag): ClientRule {
  const segments = segment === null ? [] : [{ name: SEGMENT, constraints: segmentConstraints }];
  return { key, name, enabled, activation: { rollOut: percentage, constraints, segments } };
}

const bodyOf = (flags: readonly FixtureFlag[]) => JSON.stringify(flags.map(toRule));

const setOf = (environmentId: number, body: string) =>
  new RuleSet({ environmentId, revision: 1, changedAt: 0, etag: '"1-0"', body, changes: [] });

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => `user-${index * 7919}`);

/**
 * Returns rule sets of different shapes, because the heap bytes per byte of JSON depend on the
 * share of values in the JSON.
 */
function shapes(): { readonly name: string; readonly body: string }[] {
  const flags = fixtureFlags(2_000);
  const bodyWith = (change: (flag: FixtureFlag) => Partial<FixtureFlag>) =>
    bodyOf(flags.map((flag) => Object.assign({}, flag, change(flag))));
  const listed = users(50);
  return [
    { name: "rules of the benchmark", body: bodyOf(flags) },
    { name: "roll-out only", body: bodyWith(() => ({ constraints: [], segment: null })) },
    { name: "a segment in every flag", body: bodyWith(() => ({ segment: SEGMENT })) },
    {
      name: "`in` with 50 values",
      body: bodyWith(({ constraints }) => ({
        constraints: constraints.map((one) => Object.assign({}, one, { values: listed })),
      })),
    },
  ];
}

/**
 * Returns the V8 heap bytes of compiled rules per byte of their JSON, in plain Node, for each
 * shape.
 */
export function heapFactors(): { readonly name: string; readonly factor: number }[] {
  return shapes().map(({ name, body }) => {
    const sets = Array.from({ length: SETS }, (_, index) => setOf(index, body));
    const before = heapBytes();
    let rules = 0;
    for (const set of sets) rules += set.compiled.size;
    const grown = heapBytes() - before;
    if (rules !== SETS * 2_000) throw new Error("some rules were not compiled");
    return { name, factor: grown / sets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
  });
}

export interface CacheSize {
  readonly limit: number;
  /** The largest size that the rule cache reported, bytes. */
  readonly reported: number;
  /** The measured size of the rule cache at the end, bytes: V8 heap and external buffers. */
  readonly held: number;
}

/**
 * Loads and compiles the rules of this many environments in one rule cache, and measures its size.
 */
export async function measureCache(environments: number, flags: number): Promise<CacheSize> {
  const body = bodyOf(fixtureFlags(flags));
  const cache = new RuleCache();
  const before = heapBytes() + process.memoryUsage().arrayBuffers;
  const sizes = await sequentially(Array.from({ length: environments }).keys(), async (id) => {
    cache.compiled(cache.keep(setOf(id, body)));
    return cache.bytes;
  });
  const held = heapBytes() + process.memoryUsage().arrayBuffers - before;
  return { limit: MAX_CACHE_BYTES, reported: Math.max(...sizes), held };
}
