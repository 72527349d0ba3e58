import { expect, it } from "vitest";
import { Leases } from "../../src/client/leases.ts";
import { edgeMetrics } from "../../src/client/edge-metrics.ts";
import type { ClientPorts } from "../../src/client/ports.ts";
import { RuleCache } from "../../src/client/rule-cache.ts";
import { RuleSet } from "../../src/client/rule-set.ts";
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
      changes: [],
    }),
  );

it("the cache metrics count evicted rule sets, but not replaced rule sets, as evictions", () => {
  const metrics = new MetricsRegistry();
  const { size } = rulesOf(1);
  const cache = new RuleCache(size * 3, edgeMetrics(metrics));
  for (const environmentId of [1, 2, 3, 4, 5]) cache.keep(rulesOf(environmentId));
  cache.keep(rulesOf(5, 2));
  cache.keep(rulesOf(5, 1));
  const of = counted(metrics);
  expect([of("cache_puts_total", "rules"), of("cache_evictions_total", "rules")]).toEqual([6, 2]);
});

it("the cache metrics count the key leases above 10,000 as evictions", async () => {
  const metrics = new MetricsRegistry();
  const leases = new Leases(edgeMetrics(metrics));
  const statement = { bind: () => statement, first: async () => null };
  const ports = {
    now: () => 1_000_000,
    wait: () => new Promise(() => {}),
    later: () => {},
    reportRefused: async () => {},
    fault: () => {},
    openSession: () => ({ prepare: () => statement, getBookmark: () => null }),
  } as unknown as ClientPorts;
  for (let n = 0; n < 10_003; n++) await leases.renew(ports, `token ${n}`);
  const of = counted(metrics);
  const [puts, evictions] = [of("cache_puts_total", "keys"), of("cache_evictions_total", "keys")];
  expect([puts, evictions]).toEqual([10_003, 3]);
});
