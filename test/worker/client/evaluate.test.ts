import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { call } from "../support/client.ts";
import { invalidFields, outcome } from "../support/outcomes.ts";
import { ask, evaluateLocally, poll } from "../support/sdk.ts";
import { inCountries, newFlag, newSegment, newWorld, setStrategy } from "../support/world.ts";

const condition = (field: string, operator: string, values: string[], contextType: string) => ({
  field,
  operator,
  values,
  contextType,
});

describe("POST /api/client/evaluate", () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  let rules: ClientRule[];

  beforeAll(async () => {
    world = await newWorld();
    const { projectId, environmentId } = world;
    const segment = await newSegment(projectId, [
      inCountries("DE", "FR", "IT"),
      condition("age", "gte", ["18"], "number"),
    ]);
    const empty = await newSegment(projectId, []);
    const strategies = [
      { percentage: 50 },
      { percentage: 100 },
      { percentage: 0 },
      { enabled: false },
      { percentage: 25, constraints: [inCountries("DE", "US")] },
      { percentage: 100, segmentIds: [segment.id] },
      { percentage: 100, segmentIds: [empty.id] },
      { percentage: 75, stickiness: "country" },
      {
        constraints: [
          { ...condition("country", "startsWith", ["d", "f"], "string"), caseInsensitive: true },
        ],
      },
      { constraints: [{ ...condition("plan", "exists", [], "string"), inverted: true }] },
      { constraints: [condition("appVersion", "gte", ["2.1.0-beta.1"], "semver")] },
      { constraints: [condition("ip", "in", ["10.0.0.0/8", "2001:db8::/32"], "ip")] },
      { constraints: [condition("signedUpAt", "lt", ["2026-01-01T00:00:00Z"], "date")] },
      { constraints: [condition("email", "matches", ["@example\\.(com|org)$"], "string")] },
      { constraints: [condition("beta", "notEquals", ["true"], "boolean")] },
    ];
    for (const [n, strategy] of strategies.entries()) {
      const flag = await newFlag(projectId, { key: `flag-${n}` });
      await setStrategy(flag.id, { environmentId, enabled: true, ...strategy });
    }
    rules = (await poll(world.apiKey)).body;
  });

  it("returns the same results as a local evaluation of the polled rules, for 2,000 generated evaluation contexts", async () => {
    const context = fc.record(
      {
        userId: fc.oneof(fc.string(), fc.nat(), fc.constant(null)),
        sessionId: fc.uuid(),
        country: fc.constantFrom("DE", "de", "FR", "US", "IT", "", "žluť"),
        age: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom("18", "0x12", true, "")),
        plan: fc.constantFrom("free", "", null),
        appVersion: fc.constantFrom("2.1.0", "2.1.0-beta.2", "1.9.9", "v3", "2.1"),
        ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("10.1.2.3", "2001:db8::1", "010.1.1.1")),
        signedUpAt: fc.constantFrom("2025-12-31", "2026-01-01T00:00:00+02:00", "soon", 0),
        email: fc.oneof(fc.emailAddress(), fc.constant("ann@example.org")),
        beta: fc.oneof(fc.boolean(), fc.constantFrom("true", "no")),
        cart: fc.array(fc.nat(), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const contexts = fc.sample(context, { numRuns: 2_000, seed: 2026 });
    let compared = 0;
    for (let start = 0; start < contexts.length; start += 50) {
      const batch = contexts.slice(start, start + 50);
      // Each evaluation context goes through JSON, as over the network, so that the service and the
      // local evaluation get the same values.
      const sent = batch.map((one) => JSON.parse(JSON.stringify(one)) as typeof one);
      const answers = await Promise.all(sent.map((one) => ask(world.apiKey, one)));
      expect(answers).toEqual(sent.map((one) => evaluateLocally(rules, one)));
      compared += answers.length;
    }
    expect(compared).toBe(2_000);
  });

  it("evaluates all flags when toggles is missing or empty, and otherwise only the flag keys in toggles, even unknown keys", async () => {
    const context = { userId: "ann" };
    const all = await ask(world.apiKey, context);
    expect(Object.keys(all)).toHaveLength(rules.length);
    expect(await ask(world.apiKey, context, [])).toEqual(all);
    expect(await ask(world.apiKey, context, ["flag-1", "__proto__", "nobody"])).toEqual(
      JSON.parse(
        `{"flag-1":{"enabled":true,"reason":"STATIC"},
          "__proto__":{"enabled":false,"reason":"FLAG_NOT_FOUND"},
          "nobody":{"enabled":false,"reason":"FLAG_NOT_FOUND"}}`,
      ),
    );
  });

  it("returns the revision of the evaluated rules in the body and in X-Revision", async () => {
    const body = { context: {} };
    const answer = await call("POST", "/api/client/evaluate", { token: world.apiKey, body });
    expect(answer.body.revision).toBe(Number(answer.headers.get("X-Revision")));
    expect(answer.body.evaluations["flag-0"]).toEqual({
      enabled: false,
      reason: "TARGETING_KEY_MISSING",
    });
  });

  it("returns 400 with every invalid field of the body", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, n]));
    const invalid: [unknown, string[]][] = [
      [{}, ["context"]],
      [{ context: [], toggles: "all" }, ["context", "toggles"]],
      [{ context: {}, toggles: [1, "a", null] }, ["toggles.0", "toggles.2"]],
      [{ context: many }, ["context"]],
      [{ context: { plan: "x".repeat(4096), name: "x".repeat(4097) } }, ["context.name"]],
      [{ context: { list: Array(33).fill("x".repeat(2000)) } }, ["context"]],
      [{ context: { text: "x".repeat(1_000_000) } }, ["context"]],
      [{ context: {}, toggles: Array.from({ length: 1001 }, () => "a") }, ["toggles"]],
      [[], [""]],
    ];
    for (const [body, fields] of invalid) {
      const answer = await call("POST", "/api/client/evaluate", { token: world.apiKey, body });
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(fields);
    }
  });

  it("returns 400 BAD_REQUEST for a body that is malformed JSON, has the type text/plain or is larger than 1 MiB", async () => {
    const large = JSON.stringify({ context: { a: "x".repeat(1_048_576) } });
    for (const [body, type] of [
      ["{", "application/json"],
      ["{}", "text/plain"],
      [large, "application/json"],
    ] as const) {
      const options = { token: world.apiKey, body, headers: { "Content-Type": type } };
      const answer = await call("POST", "/api/client/evaluate", options);
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
    }
  });
});
