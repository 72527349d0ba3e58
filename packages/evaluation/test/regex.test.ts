import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { NEVER } from "../src/constraint.ts";
import { compileConstraint, compileRules, evaluateRule } from "../src/evaluate.ts";
import { Re2Pool } from "../src/regex.ts";
import type { Regex, RegexPool } from "../src/regex-pool.ts";
import { regexSize } from "../src/regex-size.ts";

/** Parts of regular expressions. Most sequences of them are valid. */
const PARTS = [
  ..."ab.^$()|*+?{}[]-\\".split(""),
  "é",
  "🚩",
  "\\d",
  "\\W",
  "\\b",
  "\\z",
  "\\pL",
  "\\P{Greek}",
  "[a-z]",
  "[^a-z\\d]",
  "[]a]",
  "[a\\]b-]",
  "[[:alpha:]_]",
  "[\\pL\\pN]",
  "[\\x{100}-\\x{1ff}]",
  "\\x41",
  "\\101",
  "\\Qa.b\\E",
  "\\Q\\E",
  "(?:",
  "(?i)",
  "(?s-i:",
  "(?P<n>",
  ")",
  "*?",
  "{2}",
  "{3,}",
  "{0,4}",
  "{0}",
  "{10}",
  "{,2}",
  "{1001}",
];

const nearlyRegex = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""));

/**
 * Returns the number of instructions, and of the character ranges in them; undefined for an invalid
 * pattern.
 */
function compiledSize(pattern: string, caseInsensitive: boolean) {
  try {
    const flags = caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0;
    const program = RE2JS.compile(pattern, flags).re2().prog as {
      readonly inst: readonly { readonly runes?: Int32Array | readonly number[] | null }[];
    };
    const ranges = program.inst.map(({ runes }) => (runes?.length ?? 0) / 2);
    return {
      instructions: program.inst.length,
      ranges: ranges.reduce((sum, count) => sum + count, 0),
    };
  } catch {
    return undefined;
  }
}

const rule = (key: string, ...patterns: string[]) => ({
  key,
  name: key,
  enabled: true,
  activation: {
    rollOut: 100,
    constraints: [{ field: "f", operator: "matches", contextType: "string", values: patterns }],
    segments: [],
  },
});

const compiled = (pool: RegexPool, pattern: string): Regex => {
  const regex = pool.compile(pattern, false);
  if (typeof regex === "string") throw new Error(`${pattern}: ${regex}`);
  return regex;
};

describe("the estimated size of a regular expression", () => {
  test("is never below the number of instructions that the pattern compiles to", () => {
    let checked = 0;
    fc.assert(
      fc.property(nearlyRegex, fc.boolean(), (pattern, caseInsensitive) => {
        const size = regexSize(pattern, caseInsensitive);
        const real = size < 3000 ? compiledSize(pattern, caseInsensitive) : undefined;
        if (!real) return;
        checked++;
        expect(real.instructions).toBeLessThanOrEqual(size);
        expect(real.ranges).toBeLessThanOrEqual(size * 100);
      }),
      { numRuns: 5000 },
    );
    expect(checked).toBeGreaterThan(500);
  });

  test.each([
    ["@example\\.com$", 30],
    ["^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", 70],
    ["^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", 120],
    ["^[a-zA-Z0-9._%+-]{1,64}@[a-zA-Z0-9.-]{1,255}\\.[a-zA-Z]{2,63}$", 1500],
    ["^[\\p{L}\\s'-]{1,100}$", 1500],
    ["(?i)[\\x{4e00}-\\x{9fff}]", 1500],
  ])("of the ordinary pattern %s is at most %d", (pattern, most) => {
    expect(regexSize(pattern, true)).toBeLessThanOrEqual(most);
  });

  test.each([
    ["a repeated Unicode class", "\\pL{1000}"],
    ["nested repetition", "(?:(?:a{10}){10}){10}b{1000}c{1000}"],
    ["many Unicode classes in one class", `[${"\\pL".repeat(80)}]`],
    ["many alternative Unicode classes", `a${"|\\PL".repeat(60)}`],
    ["a large range of letters with the case ignored", "(?i)[B-\\x{1e942}]"],
    ["repeated Unicode classes without a closing bracket", `[${"\\pL".repeat(80)}`],
  ])("is above 2,000 for %s", (_, pattern) => {
    expect(regexSize(pattern, false)).toBeGreaterThan(2000);
  });

  test("counts the letters of a class only when the pattern or the constraint ignores their case", () => {
    expect(regexSize("[B-\\x{1e942}]", false)).toBe(20);
    expect(regexSize("[B-\\x{1e942}]", true)).toBeGreaterThan(2000);
  });
});

describe("a pool of regular expressions", () => {
  test("refuses an expression that is larger than the size left, and accepts a smaller one", () => {
    const pool = new Re2Pool(100);
    expect(typeof pool.compile("a{60}", false)).toBe("object");
    expect(pool.compile("b{60}", false)).toBe("size");
    expect(typeof pool.compile("b{20}", false)).toBe("object");
    expect(pool.refused).toBe(1);
    expect(pool.size).toBeLessThanOrEqual(100);
  });

  test("counts an expression once, however often it is used", () => {
    const pool = new Re2Pool(30);
    expect(pool.compile("a{20}", false)).toBe(pool.compile("a{20}", false));
    expect(pool.refused).toBe(0);
  });

  test("compiles an expression that ignores the case separately from one that does not", () => {
    const pool = new Re2Pool();
    const ignoring = pool.compile("a", true);
    expect(typeof ignoring !== "string" && ignoring.test("A")).toBe(true);
    expect(compiled(pool, "a").test("A")).toBe(false);
  });

  test("returns the right result for each text, also when texts alternate", () => {
    const regex = compiled(new Re2Pool(), "^a+$");
    expect(["aa", "b", "b", "aa", ""].map((text) => regex.test(text))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test("gives the same result as RE2JS when the automaton has no memory left", () => {
    // Has 8,192 states: each position of an `x` in the last 13 characters is a state of its own.
    const pattern = "x(x|y){12}z";
    const regex = compiled(new Re2Pool(), pattern);
    const reference = RE2JS.compile(pattern);
    fc.assert(
      fc.property(fc.stringMatching(/^[xyz]{0,200}$/), (text) => {
        expect(regex.test(text)).toBe(reference.test(text));
      }),
    );
  });
});

describe("the rules of an environment", () => {
  test("accept a regular expression that is above the limits for new constraints", () => {
    const patterns = Array.from({ length: 9 }, (_, index) => `^${"a".repeat(300)}${index}$`);
    const rules = compileRules([rule("old", ...patterns)]);
    expect(evaluateRule(rules.get("old"), { f: `${"a".repeat(300)}7` }).enabled).toBe(true);
  });

  test("treat only the regular expressions above the total size as malformed", () => {
    const large = Array.from({ length: 20 }, (_, index) =>
      rule(`large-${index}`, `a{${900 + index}}b{990}`),
    );
    const rules = compileRules([...large, rule("small", "^b$")]);
    const context = { f: "a".repeat(1000) + "b".repeat(1000) };
    expect(evaluateRule(rules.get("large-0"), context).enabled).toBe(true);
    expect(evaluateRule(rules.get("large-19"), context).reason).toBe("CONSTRAINT_MISMATCH");
    expect(evaluateRule(rules.get("small"), { f: "b" }).enabled).toBe(true);
  });

  test("never hold for a constraint with `inverted` whose regular expression is too large", () => {
    const constraint = { ...rule("f", "\\pL{1000}").activation.constraints[0], inverted: true };
    expect(compileConstraint(constraint, new Re2Pool(100))).toBe(NEVER);
  });

  test("share the regular expressions of a segment that many flags use", () => {
    const pool = new Re2Pool();
    const rules = Array.from({ length: 1000 }, (_, index) => rule(`flag-${index}`, "^a{50}b?$"));
    const compiledRules = compileRules(rules, { regexes: pool });
    expect(evaluateRule(compiledRules.get("flag-999"), { f: "a".repeat(50) }).enabled).toBe(true);
    expect(pool.size).toBeLessThan(200);
  });
});
