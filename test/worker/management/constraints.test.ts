import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { inCountries, newFlag, newSegment, newWorld } from "../support/world.ts";

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
    constraint("equals", "boolean", "true"),
    constraint("notEquals", "date", "2026-01-02"),
    constraint("contains", "string", "%"),
    constraint("startsWith", "string", "ä"),
    constraint("endsWith", "string", "🚩"),
    constraint("matches", "string", "^a+$"),
    constraint("gt", "semver", "1.2.3-rc.1"),
    constraint("lte", "date", "2026-01-02T03:04:05Z"),
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
    ["an unknown operator", constraint("like", "string", "a")],
    ["an unknown type", constraint("in", "text", "a")],
    ["a name of Object", constraint("constructor", "__proto__", "a")],
    ["an operator that does not fit the type", constraint("gt", "boolean", "true")],
    ["text search in numbers", constraint("contains", "number", "1")],
    ["no value where one is needed", constraint("in", "string")],
    ["a broken regular expression", constraint("matches", "string", "(")],
    ["a look-behind, which is not RE2", constraint("matches", "string", "(?<=a)b")],
    [
      "21 regular expressions",
      constraint("matches", "string", ...Array.from({ length: 21 }, String)),
    ],
    ["a regular expression of 257 characters", constraint("matches", "string", "a".repeat(257))],
    [
      "a short regular expression that compiles to much",
      constraint("matches", "string", "\\pL{1000}"),
    ],
    [
      "regular expressions that compile to much together",
      constraint("matches", "string", "a{900}", "b{900}", "c{900}"),
    ],
    ["a broken version", constraint("gt", "semver", "1.2")],
    ["a day that does not exist", constraint("lt", "date", "2026-02-30")],
    ["an invalid CIDR block", constraint("in", "ip", "10.0.0.0/33")],
    ["a hexadecimal number", constraint("gt", "number", "0x10")],
    ["a value that is not a boolean", constraint("equals", "boolean", "yes")],
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
    for (const write of [onStrategy, onSegment]) {
      expect((await write([large("a"), large("b")])).status).toBe(200);
      const tooLarge = await write([large("a"), large("b"), large("c")]);
      expect(outcome(tooLarge)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(tooLarge)).toEqual(["constraints"]);
    }
  });

  it("accept the regular expressions that people use for e-mail addresses and names", async () => {
    const email = "^[a-zA-Z0-9._%+-]{1,64}@[a-zA-Z0-9.-]{1,255}\\.[a-zA-Z]{2,63}$";
    const names = "^[\\p{L}\\s'-]{1,100}$";
    const stored = [constraint("matches", "string", email), constraint("matches", "string", names)];
    expect((await onStrategy(stored)).body.constraints).toEqual(stored);
  });
});
