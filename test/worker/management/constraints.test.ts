import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { inCountries, newEnvironment, newFlag, newSegment, newWorld } from "../support/world.ts";

let segment: { id: number };
let flag: { id: number };
let environmentId: number;

beforeAll(async () => {
  const world = await newWorld();
  environmentId = world.environmentId;
  segment = await newSegment(world.projectId, []);
  flag = await newFlag(world.projectId);
});

const onSegment = (constraints: unknown) =>
  asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints });
const onStrategy = (constraints: unknown) =>
  asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, { environmentId, constraints });

const constraint = (operator: string, contextType: string, ...values: string[]) => ({
  field: "f",
  operator,
  values,
  contextType,
});

describe("the constraints of a segment or a strategy", () => {
  it.each([
    constraint("in", "string", "a", "b"),
    constraint("notIn", "number", "1", "2.5", "-1e3"),
    constraint("contains", "string", "%"),
    constraint("matches", "string", "^a+$"),
    constraint("in", "ip", "10.0.0.0/8", "2001:db8::/32", "192.0.2.1"),
    constraint("exists", "string"),
    constraint("notExists", "number"),
  ])("are stored unchanged when they are valid: %j", async (one) => {
    const answer = await onStrategy([one]);
    expect(answer.status).toBe(200);
    expect(answer.body.constraints).toEqual([one]);
    expect((await onSegment([one])).body.constraints).toEqual([one]);
  });

  it.each([
    ["a name of Object", constraint("constructor", "__proto__", "a")],
    ["a broken regular expression", constraint("matches", "string", "(")],
    ["a look-behind, which is not RE2", constraint("matches", "string", "(?<=a)b")],
    ["an empty field", { ...inCountries("de"), field: "" }],
    ["values that are not a list", { ...inCountries("de"), values: "de" }],
    ["a value that is not text", { ...inCountries("de"), values: [1] }],
    ["a value of 513 characters", inCountries("x".repeat(513))],
    ["half a surrogate pair in a value", inCountries("de", "x\ud83d")],
    ["half a surrogate pair in the field", { ...inCountries("de"), field: "\udfff" }],
    ["1,001 values", inCountries(...Array.from({ length: 1001 }, String))],
    ["`inverted` that is not a boolean", { ...inCountries("de"), inverted: "yes" }],
    ["an empty object", {}],
    ["null", null],
    ["a text", "country in de"],
  ])("are rejected with 400 and the path of the invalid field: %s", async (_, one) => {
    for (const answer of [
      await onSegment([inCountries("de"), one]),
      await onStrategy([inCountries("de"), one]),
    ]) {
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer).every((field) => field.startsWith("constraints.1"))).toBe(true);
    }
  });

  it("can be up to 50, with up to 1,000 values of up to 512 characters each; 51 constraints return 400", async () => {
    expect((await onStrategy(Array(50).fill(inCountries("de")))).status).toBe(200);
    const long = inCountries(...Array.from({ length: 1000 }, String), "x".repeat(512)).values;
    expect((await onStrategy([inCountries(...long.slice(1))])).status).toBe(200);
    const many = await onStrategy(Array(51).fill(inCountries("de")));
    expect(outcome(many)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(many)).toEqual(["constraints"]);
  });

  it("are rejected with 400 when they take more than 256 KB of JSON", async () => {
    const values = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(512, "x"));
    for (const write of [onStrategy, onSegment]) {
      expect((await write([inCountries(...values)])).status).toBe(200);
      const large = await write([
        inCountries(...values),
        inCountries("de", ...values.slice(1, 20)),
      ]);
      expect(outcome(large)).toBe("400 VALIDATION_ERROR");
      expect(large.body.details).toEqual([
        { field: "constraints", message: "must have at most 262144 bytes of JSON" },
      ]);
    }
  });

  it("are rejected with 400 when all regular expressions together compile to too much", async () => {
    const large = (text: string) => constraint("matches", "string", `${text}{900}`, `${text}{901}`);
    const { projectId, environmentId: other } = await newWorld();
    const writes = [
      ["PUT", `/api/v1/flags/${(await newFlag(projectId)).id}/strategies`, other],
      ["PUT", `/api/v1/segments/${(await newSegment(projectId, [])).id}`, undefined],
    ] as const;
    for (const [method, path, environment] of writes) {
      const send = (...constraints: object[]) =>
        asAdmin(method, path, { environmentId: environment, constraints });
      expect((await send(large("a"))).status).toBe(200);
      const tooLarge = await send(large("a"), large("b"));
      expect(outcome(tooLarge)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(tooLarge)).toEqual(["constraints"]);
    }
  });

  it("are rejected with 402 when the regular expressions of the environment compile to too much", async () => {
    const { projectId, environmentId: used } = await newWorld();
    const unused = await newEnvironment(projectId);
    const [first, second] = [await newFlag(projectId), await newFlag(projectId)];
    const set = (one: { id: number }, change: object, environment = used) =>
      asAdmin("PUT", `/api/v1/flags/${one.id}/strategies`, {
        environmentId: environment,
        ...change,
      });
    const large = (text: string) => [
      constraint("matches", "string", `${text}{900}`, `${text}{901}`),
    ];
    const named = await newSegment(projectId, large("a"));
    const change = (constraints: object[]) =>
      asAdmin("PUT", `/api/v1/segments/${named.id}`, { constraints });

    expect(outcome(await set(first, { constraints: large("a") }))).toBe("200");
    // Counts an expression once, however many rules use it.
    expect(outcome(await set(second, { segmentIds: [named.id] }))).toBe("200");
    expect(outcome(await set(second, { rules: [{ constraints: large("a") }] }))).toBe("200");
    for (const refused of [
      await set(second, { constraints: large("b") }),
      await set(second, { rules: [{ constraints: large("b") }] }),
      await set(second, { constraints: [{ ...large("a")[0], field: "g" }] }),
      await change([...large("b")]),
    ]) {
      expect(outcome(refused)).toBe("402 QUOTA_EXCEEDED");
      expect(refused.body.error).toMatch(
        /^The regular expressions of the environment would have 3\d{3} instructions; the limit is 3000/,
      );
    }
    expect(outcome(await set(second, { constraints: large("b") }, unused.id))).toBe("200");
    // A change that adds no expression is never refused, and a smaller one makes room.
    expect(outcome(await set(first, { enabled: false, constraints: [] }))).toBe("200");
    expect(outcome(await set(second, { rules: [], segmentIds: [] }))).toBe("200");
    expect(outcome(await change(large("b")))).toBe("200");
    expect(outcome(await set(second, { constraints: large("c") }))).toBe("200");
    expect(outcome(await set(first, { segmentIds: [named.id] }))).toBe("402 QUOTA_EXCEEDED");
  });
});
