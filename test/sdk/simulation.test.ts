import { createClient } from "@feature-flags/sdk";
import { compileRules, evaluateRule } from "@feature-flags/evaluation/evaluate";
import { expect, it } from "vitest";
import { seeded } from "../../scripts/lib/seeded.ts";
import { FakeService, KEY, type Trouble, URL_OF_SERVICE } from "./support/fake-service.ts";
import { FakeTimers } from "./support/fake-timers.ts";

/** How often the service writes a heartbeat, milliseconds. */
const TICK_MS = 25_000;
const TICKS = (24 * 3_600_000) / TICK_MS;

/**
 * The most requests for rules and for streams in a day: half as many as polling without a stream
 * would need. About 290 of them are regular polls. Large changes, outages and cut streams cause the
 * rest.
 */
const MAX_REQUESTS = 1_440;

const TROUBLES: readonly Trouble[] = ["down", "hanging", "truncated", "stale", 429, 500, 503];
const COUNTRIES = ["DE", "FR", "AT"];

/** Changes one of 40 flags. */
function change(service: FakeService, random: () => number): void {
  const key = `flag-${Math.floor(random() * 40)}`;
  const kind = random();
  if (kind < 0.2) return service.delete(key);
  const values = COUNTRIES.filter(() => random() < 0.5);
  const constraint = { field: "country", operator: "in", values, contextType: "string" };
  const regex = { ...constraint, operator: "matches", values: ["^[DA]"] };
  const conditions = [constraint, regex].filter(() => random() < 0.3);
  // Makes some constraints so large that no event contains the rule.
  const isLarge = random() < 0.05;
  const large = { ...constraint, values: Array.from({ length: 2_000 }, (_, n) => `country ${n}`) };
  const strategy = {
    enabled: random() < 0.8,
    percentage: Math.floor(random() * 101),
    constraints: isLarge ? [large] : conditions,
  };
  const isText = random() < 0.3;
  const parent = `flag-${Math.floor(random() * 40)}`;
  service.set(key, strategy, {
    ...(isText && { valueType: "string", variants: [{ key: "a", value: `text ${kind}` }] }),
    prerequisites: random() < 0.2 && parent < key ? [{ flagKey: parent }] : [],
  });
}

/**
 * Simulates a day of changes, outages and cut streams. Returns the counts and the revisions of the
 * client.
 */
async function day(seed: number) {
  const random = seeded(seed);
  const clock = new FakeTimers();
  const service = new FakeService(clock);
  for (let n = 0; n < 20; n++) change(service, random);
  const client = createClient({
    url: URL_OF_SERVICE,
    key: KEY,
    clock,
    random,
    fetch: service.fetch,
    logger: { warn: () => {}, error: () => {} },
  });
  const revisions: number[] = [];
  client.on("change", ({ revision }) => void revisions.push(revision));
  await clock.advance(0);
  let troubleEnds = 0;
  for (let tick = 0; tick < TICKS; tick++) {
    const chance = random();
    if (chance < 0.05) for (let n = 0; n < 1 + random() * 4; n++) change(service, random);
    if (random() < 0.01) service.cut();
    if (random() < 0.005) service.silence();
    if (tick >= troubleEnds) {
      service.troubles = {};
      if (random() < 0.004) {
        const trouble = TROUBLES[Math.floor(random() * TROUBLES.length)] ?? "down";
        const parts = (["features", "stream", "metrics"] as const).filter(() => random() < 0.7);
        service.troubles = Object.fromEntries(parts.map((part) => [part, trouble]));
        service.retryAfter = random() < 0.3 ? "90" : undefined;
        if (parts.includes("stream")) service.cut();
        troubleEnds = tick + 1 + random() * 60;
      }
    }
    service.heartbeat();
    client.boolean("flag-1", false, { targetingKey: `user-${tick}` });
    await clock.advance(TICK_MS);
  }
  service.troubles = {};
  service.retryAfter = undefined;
  await clock.advance(400_000);
  const snapshot = client.snapshot();
  const { state } = client.status;
  const contexts = COUNTRIES.map((country, n) => ({ country, targetingKey: `user-${n}` }));
  const results = contexts.map((context) => client.all(context));
  const closed = client.close();
  await clock.advance(10_000);
  await closed;
  const reported = service.reports.flatMap(({ evaluations }) => Object.values(evaluations));
  return {
    service,
    snapshot,
    state,
    revisions,
    contexts,
    results,
    timers: clock.size,
    checks: reported.reduce((sum, { t, f }) => sum + t + f, 0),
  };
}

/**
 * The seeds of the simulated days: three fixed seeds, and a new one in each run, which the test's
 * title names.
 */
const SEEDS = [1, 2, 3, Math.floor(Math.random() * 2 ** 31)];

it.each(SEEDS)(
  "after a day of changes, outages and cut streams (seed %i) a client equals the service",
  async (seed) => {
    const end = await day(seed);
    const { service, snapshot, contexts, results } = end;
    const byKey = (rules: readonly { key: string }[] = []) =>
      rules.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    expect(snapshot?.revision).toBe(service.revision);
    expect(byKey(snapshot?.rules)).toEqual(byKey(service.rules));
    const compiled = compileRules(service.rules);
    for (const [index, context] of contexts.entries())
      for (const [key, rule] of compiled)
        expect(results[index]?.[key]).toMatchObject(evaluateRule(rule, context));
    expect(end.state).toBe("ready");
    // The client must never go back to an older revision, and must have missed nothing at the end.
    expect(end.revisions).toEqual(end.revisions.toSorted((one, other) => one - other));
    expect(end.revisions.length).toBeGreaterThan(100);
    // No check may be lost, however many reports have failed.
    expect(end.checks).toBe(TICKS);
    expect(end.timers).toBe(0);
    expect(service.count("features") + service.count("stream")).toBeLessThan(MAX_REQUESTS);
    expect(service.count("metrics")).toBeLessThan(1.2 * 24 * 60);
  },
);
