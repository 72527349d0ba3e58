import { beforeAll, describe, expect, it } from "vitest";
import { invalidFields, outcome } from "../support/outcomes.ts";
import { sendReport } from "../support/queue.ts";
import { usedWorld } from "../support/usage.ts";

let world: Awaited<ReturnType<typeof usedWorld>>;
beforeAll(async () => {
  world = await usedWorld();
});

describe("an invalid usage report", () => {
  const good = { t: 1, f: 1 };
  const variants = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, 1]));
  const BAD: readonly [unknown, string[]][] = [
    [{}, ["evaluations"]],
    [{ evaluations: null }, ["evaluations"]],
    [{ evaluations: [] }, ["evaluations"]],
    [{ evaluations: "x" }, ["evaluations"]],
    [
      { evaluations: { a: null, b: 1, c: [1, 2] } },
      ["evaluations.a", "evaluations.b", "evaluations.c"],
    ],
    [{ evaluations: { a: {} } }, ["evaluations.a.f", "evaluations.a.t"]],
    [{ evaluations: { a: { t: -1, f: 0.5 } } }, ["evaluations.a.f", "evaluations.a.t"]],
    [{ evaluations: { a: { t: "1", f: true } } }, ["evaluations.a.f", "evaluations.a.t"]],
    [
      { evaluations: { a: { t: 1_000_000_001, f: 1e308 } } },
      ["evaluations.a.f", "evaluations.a.t"],
    ],
    ['{"evaluations":{"__proto__":{"t":-1,"f":0}}}', ["evaluations.__proto__.t"]],
    ['{"evaluations":{"a":{"t":1e999,"f":0}}}', ["evaluations.a.t"]],
    [
      { evaluations: {}, appName: "", instanceId: " ", sdkVersion: 7 },
      ["appName", "instanceId", "sdkVersion"],
    ],
    [{ evaluations: {}, appName: "x".repeat(201), revision: -1 }, ["appName", "revision"]],
    ['{"evaluations":{},"instanceId":"\\ud800"}', ["instanceId"]],
    [{ evaluations: { a: { t: -1, f: 0 } }, revision: 1.5 }, ["evaluations.a.t", "revision"]],
    [
      { evaluations: { a: { ...good, v: null }, b: { ...good, v: [] }, c: { ...good, v: 1 } } },
      ["evaluations.a.v", "evaluations.b.v", "evaluations.c.v"],
    ],
    [
      { evaluations: { a: { t: 1, f: "x", v: { on: -1, off: 0.5, good: 1 } } } },
      ["evaluations.a.f", "evaluations.a.v.off", "evaluations.a.v.on"],
    ],
    [
      { evaluations: { a: { ...good, v: { "a b": 1, "": 1, ["x".repeat(65)]: 1 } } } },
      ["evaluations.a.v.", "evaluations.a.v.a b", `evaluations.a.v.${"x".repeat(65)}`],
    ],
    ['{"evaluations":{"a":{"t":1,"f":1,"v":{"__proto__":"1"}}}}', ["evaluations.a.v.__proto__"]],
    [
      { evaluations: { a: { ...good, v: variants(51) }, b: { ...good, v: variants(50) } } },
      ["evaluations.a.v"],
    ],
  ];

  it.each(BAD)(
    "is rejected with every invalid field, and sends nothing to the usage object: %j",
    async (body, fields) => {
      const { answer, reports } = await sendReport(world.apiKey, withKnownFlag(body));
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(fields);
      expect(reports).toEqual([]);
    },
  );

  /** Adds a valid entry to a body with evaluations. That entry must not be counted. */
  const withKnownFlag = (body: unknown) => {
    const { evaluations } = body as { evaluations?: unknown };
    return evaluations?.constructor === Object
      ? { ...(body as object), evaluations: { ...evaluations, [world.a.key]: good } }
      : body;
  };

  it.each(["", "{", "[]", "null"])(
    "is rejected when its body is not a JSON object: %j",
    async (body) => {
      const { answer, reports } = await sendReport(world.apiKey, body);
      expect([answer.status, reports]).toEqual([400, []]);
    },
  );
});

describe("a large invalid usage report", () => {
  it("is rejected with one error when it has more than 10,000 entries", async () => {
    const entries = Array.from({ length: 10_001 }, (_, n) => [`u${n}`, { t: -1, f: "x" }]);
    const { answer, reports } = await sendReport(world.apiKey, {
      evaluations: Object.fromEntries(entries),
    });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(answer.body.details).toEqual([
      { field: "evaluations", message: "must have at most 10000 entries" },
    ]);
    expect(reports).toEqual([]);
  });

  it("is rejected with only 100 field errors when it has 9,000 invalid entries", async () => {
    const entries = Array.from({ length: 9_000 }, (_, n) => [`u${n}`, { t: -1, f: 1 }]);
    const { answer } = await sendReport(world.apiKey, { evaluations: Object.fromEntries(entries) });
    expect(answer.body.details).toHaveLength(100);
  });
});
