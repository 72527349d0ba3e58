import { expect, it } from "vitest";
import { Leases } from "../../src/client/keys/leases.ts";
import { edgeMetrics } from "../../src/client/sources/edge-metrics.ts";
import type { ClientPorts } from "../../src/client/sources/ports.ts";
import { RuleCache } from "../../src/client/rules/rule-cache.ts";
import { RuleSet } from "../../src/client/rules/rule-set.ts";
import { sampleKey, MetricsRegistry } from "../../src/core/metrics/registry.ts";
import { buildSnapshot } from "../../src/core/rules/snapshot.ts";

const counted = (metrics: MetricsRegistry) => {
  const amounts = new Map(metrics.take());
  return (name: string, cache: string) => amounts.get(sampleKey(name, [cache], "")) ?? 0;
};

const rulesOf = (environmentId: number, revision = 1) =>
  new RuleSet(
    buildSnapshot({
      environmentId,
      revision,
      changedAt: 0,
      flags: [],
      segments: new Map(),
      archivedKeys: [],
      archivedServerKeys: [],
      changes: [],
    }),
  );

it("the cache metrics count evicted rule sets as evictions, but not replaced rule sets", () => {
  const metrics = new MetricsRegistry();
  const { size } = rulesOf(1);
  const cache = new RuleCache(size * 3, edgeMetrics(metrics));
  for (const environmentId of [1, 2, 3, 4, 5]) cache.keep(rulesOf(environmentId));
  cache.keep(rulesOf(5, 2));
  cache.keep(rulesOf(5, 1));
  const of = counted(metrics);
  expect([of("cache_puts_total", "rules"), of("cache_evictions_total", "rules")]).toEqual([6, 2]);
});

it("the cache metrics count an eviction for each API key lease above 10,000", async () => {
  const metrics = new MetricsRegistry();
  const leases = new Leases(edgeMetrics(metrics));
  const noKey = { id: null, isRevoked: 0, reportedAt: null };
  const statement = { bind: () => statement, first: async () => noKey };
  let time = 1_000_000;
  const ports = {
    // Advances the clock by a second, because an isolate checks at most 50 unknown API keys in a
    // second.
    now: () => (time += 1_000),
    wait: () => new Promise(() => {}),
    store: { key: async () => undefined },
    openSession: () => ({ prepare: () => statement, getBookmark: () => null }),
  } as unknown as ClientPorts;
  for (let n = 0; n < 10_003; n++) await leases.renew(ports, `token ${n}`);
  const of = counted(metrics);
  const [puts, evictions] = [of("cache_puts_total", "keys"), of("cache_evictions_total", "keys")];
  expect([puts, evictions]).toEqual([10_003, 3]);
});
