import { expect, it } from "vitest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { edgeMetrics } from "../../src/client/sources/edge-metrics.ts";
import { CircuitBreaker } from "../../src/client/sources/circuit-breaker.ts";
import type { ClientPorts } from "../../src/client/sources/ports.ts";
import type { KeyRow } from "../../src/client/sources/queries.ts";
import { MAX_CACHE_BYTES, RuleCache } from "../../src/client/rules/rule-cache.ts";
import { RuleSet } from "../../src/client/rules/rule-set.ts";
import { RuleLoader } from "../../src/client/rules/rule-loader.ts";
import { MetricsRegistry } from "../../src/core/metrics/registry.ts";
import { buildSnapshot } from "../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY } from "../../src/core/strategies/strategy.ts";

const ENVIRONMENTS = 60;
const FLAGS = 2_000;

const snapshotOf = (environmentId: number, flags = FLAGS) =>
  buildSnapshot({
    environmentId,
    revision: 1,
    changedAt: 0,
    flags: Array.from({ length: flags }, (_, n) => ({
      key: `environment-${environmentId}-flag-${n}`,
      name: `Flag ${n} žluťoučký`,
      archived: false,
      strategy: {
        ...DEFAULT_STRATEGY,
        enabled: true,
        percentage: 50,
        constraints: [
          { field: "country", operator: "in", values: ["DE", "FR"], contextType: "string" },
        ],
      },
    })),
    segments: new Map(),
    archivedKeys: [],
    archivedServerKeys: [],
    changes: [],
  });

/**
 * Creates a rule cache and a simulated KV store with the rules of every environment. `loads` counts
 * the KV reads by environment.
 */
function edgeOf(snapshot: (environmentId: number) => ReturnType<typeof snapshotOf>) {
  const loads = new Map<number, number>();
  const ports = {
    now: () => 0,
    wait: () => new Promise(() => {}),
    later: () => {},
    store: {
      snapshot: async (environmentId: number) => {
        loads.set(environmentId, (loads.get(environmentId) ?? 0) + 1);
        return snapshot(environmentId);
      },
    },
  } as unknown as ClientPorts;
  const cache = new RuleCache();
  const loader = new RuleLoader(
    cache,
    new CircuitBreaker(1_000),
    edgeMetrics(new MetricsRegistry()),
  );
  const serve = async (environmentId: number) => {
    const key: KeyRow = { id: 1, keyType: "SERVER", environmentId, projectId: 1, revision: 1 };
    const set =
      cache.heldRules(key) ??
      (await loader.load(ports, key, { stale: false, bookmark: undefined })).set;
    cache.compiled(set);
    return set;
  };
  return { cache, loads, serve };
}

it("the rule cache counts the memory of compiled regular expressions", async () => {
  const matching = (...values: string[]): RuleSet => {
    const snapshot = snapshotOf(1, 1);
    const [rule] = JSON.parse(snapshot.body) as ClientRule[];
    const constraints = [{ field: "f", operator: "matches", values, contextType: "string" }];
    const body = JSON.stringify([{ ...rule, activation: { ...rule?.activation, constraints } }]);
    return new RuleSet({ ...snapshot, body });
  };
  const [small, large] = [matching("a{3}bc", "d"), matching("a{999}", "b")];
  const cache = new RuleCache();
  const growthOf = (set: RuleSet) => {
    const before = set.size;
    cache.compiled(set);
    return set.size - before;
  };
  // The JSON of both rule sets is equally long. The difference comes from the compiled regular
  // expression of the large set, whose 1,000 instructions take about 600 KB.
  expect(small.bytes.length).toBe(large.bytes.length);
  expect(growthOf(large) - growthOf(small)).toBeGreaterThan(500_000);
});

it("the rule cache keeps at most MAX_CACHE_BYTES, and evicts the least recently used rules", async () => {
  const { cache, loads, serve } = edgeOf((id) => snapshotOf(id));
  for (let id = 1; id <= ENVIRONMENTS; id++) {
    await serve(id);
    // Uses environment 1 in every round, so that its rules are never the least recently used.
    await serve(1);
    expect(cache.bytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
  }
  expect(cache.bytes).toBeGreaterThan(MAX_CACHE_BYTES / 2);
  expect(loads.get(1)).toBe(1);
  await serve(ENVIRONMENTS);
  expect(loads.get(ENVIRONMENTS)).toBe(1);
  await serve(2);
  expect(loads.get(2)).toBe(2);
});

it("the rule cache keeps a rule set of 30,000 flags, so a second request does not load the set again", async () => {
  const { cache, loads, serve } = edgeOf((id) => snapshotOf(id, id === 7 ? 30_000 : 10));
  await serve(1);
  await serve(7);
  await serve(7);
  expect(loads.get(7)).toBe(1);
  expect(cache.bytes).toBeLessThanOrEqual(MAX_CACHE_BYTES);
});

it("a rule set makes a document for Unleash SDKs once, keeps nothing of its events, and counts its size", () => {
  const cache = new RuleCache();
  const set = cache.keep(new RuleSet(snapshotOf(1, 2)));
  const before = cache.bytes;
  const keys: string[][] = [];
  const mapping = (rules: readonly ClientRule[]) => {
    keys.push(rules.map(({ key }) => key));
    return rules.map(({ key }) => new TextEncoder().encode(JSON.stringify({ name: `${key}ž` })));
  };
  // Two requests that have waited for the import of the mapping.
  cache.makeUnleash(set, "a", mapping);
  cache.makeUnleash(set, "a", mapping);
  expect(keys).toEqual([["environment-1-flag-0", "environment-1-flag-1"]]);
  const read = (kind: "document" | "hydration") =>
    JSON.parse(new TextDecoder().decode(set.unleash.body("a", kind))) as object;
  const features = [{ name: "environment-1-flag-0ž" }, { name: "environment-1-flag-1ž" }];
  expect(read("document")).toEqual({ version: 2, features, segments: [] });
  expect(read("hydration")).toEqual({
    events: [{ type: "hydration", eventId: 1, features, segments: [] }],
  });
  expect(cache.bytes - before).toBe(set.unleash.body("a", "document").byteLength);
});
