import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MAX_CACHE_BYTES, RuleCache } from "../../src/client/rules/rule-cache.ts";
import { RuleSet } from "../../src/client/rules/rule-set.ts";
import { toClientRule } from "@feature-flags/evaluation/rule";
import {
  type FixtureFlag,
  fixtureFlags,
  fixtureFlagsWithValues,
  SEGMENT,
  segmentConstraints,
} from "./fixtures.ts";
import { sequentially } from "./sequentially.ts";

const SETS = 10;
const FLAGS = 2_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns the bytes in use on V8's heap after a full garbage collection. */
function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const SEGMENTS = new Map([[1, { name: SEGMENT, constraints: segmentConstraints }]]);

function toRule({ segment, values, ...flag }: FixtureFlag) {
  const { enabled, percentage, constraints } = flag;
  const segmentIds = segment === null ? [] : [...SEGMENTS.keys()];
  const strategy = { enabled, percentage, constraints, segmentIds };
  return toClientRule({ ...flag, ...values }, { ...strategy, ...values }, SEGMENTS);
}

const bodyOf = (flags: readonly FixtureFlag[]) => JSON.stringify(flags.map(toRule));

const setOf = (environmentId: number, body: string) =>
  new RuleSet({
    environmentId,
    revision: 1,
    changedAt: 0,
    etag: '"1-0"',
    digest: "0",
    body,
    archivedKeys: [],
    changes: [],
  });

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => `user-${index * 7919}`);

const withValues = (valueBytes: number, rules: number) =>
  fixtureFlagsWithValues(FLAGS, { valueBytes, rules });

/** Gives the variants of a flag a value that takes up to 20 times the memory of its JSON. */
const withSmallObjects = ({ values, ...flag }: FixtureFlag): FixtureFlag => ({
  ...flag,
  ...(values && {
    values: {
      ...values,
      variants: values.variants.map(({ key }) => ({
        key,
        value: Array.from({ length: 200 }, () => ({})),
      })),
    },
  }),
});

/**
 * Returns rules of different shapes. The number of heap bytes per byte of JSON depends on how much
 * of the JSON consists of constraint values.
 */
function shapes(): { readonly name: string; readonly body: string }[] {
  const flags = fixtureFlags(FLAGS);
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
    { name: "three rules, two short values", body: bodyOf(withValues(60, 3)) },
    { name: "two values of 1 KB", body: bodyOf(withValues(1024, 0)) },
    {
      name: "values with many small objects",
      body: bodyOf(withValues(0, 0).map(withSmallObjects)),
    },
  ];
}

const reportedBytes = (sets: readonly RuleSet[]) => sets.reduce((sum, { size }) => sum + size, 0);

/** The memory that compiled rules take per byte of their JSON, bytes. */
interface HeapFactor {
  readonly name: string;
  /** Measured on V8's heap, in plain Node. */
  readonly factor: number;
  /** What the rule sets report to the rule cache. */
  readonly reported: number;
}

/** Measures the memory of compiled rules for each shape. */
export function heapFactors(): HeapFactor[] {
  return shapes().map(({ name, body }) => {
    const sets = Array.from({ length: SETS }, (_, index) => setOf(index, body));
    const reportedBefore = reportedBytes(sets);
    const before = heapBytes();
    let rules = 0;
    for (const set of sets) rules += set.compiled.size;
    const grown = heapBytes() - before;
    if (rules !== SETS * FLAGS) throw new Error("some rules were not compiled");
    const bytes = sets.reduce((sum, set) => sum + set.bytes.byteLength, 0);
    const reported = reportedBytes(sets) - reportedBefore;
    return { name, factor: grown / bytes, reported: reported / bytes };
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
 * Loads and compiles the same rules for `environments` environments in one rule cache, and measures
 * the size of the cache.
 */
export async function measureCache(
  environments: number,
  flags: readonly FixtureFlag[],
): Promise<CacheSize> {
  const body = bodyOf(flags);
  const cache = new RuleCache();
  const before = heapBytes() + process.memoryUsage().arrayBuffers;
  const sizes = await sequentially(Array.from({ length: environments }).keys(), async (id) => {
    cache.compiled(cache.keep(setOf(id, body)));
    return cache.bytes;
  });
  const held = heapBytes() + process.memoryUsage().arrayBuffers - before;
  return { limit: MAX_CACHE_BYTES, reported: Math.max(...sizes), held };
}
