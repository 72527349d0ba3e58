import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { compileRules, evaluateRule, newBatch } from "../src/evaluate.ts";
import { MAX_ENVIRONMENT_SIZE, RegexPool } from "../src/regex-pool.ts";
import type { Constraint } from "../src/rule.ts";
import { SEARCHES_BEFORE_INDEX, searchable } from "../src/searchable.ts";
import { textIndex } from "../src/text-index.ts";

// The rules and contexts that make an evaluation slowest. The tests count the slow steps, because
// times depend on the machine. A new kind of constraint belongs in `COUNTED` if one of its steps
// takes longer for a longer context value.

/** The longest text in a context, in characters, and how many of them fit into one. */
const TEXT = 4096;
const FIELDS = Array.from({ length: 15 }, (_, n) => `f${n}`);
const CONSTRAINTS = 3000;

/** Returns flags with many constraints, none of which holds. They test the fields in turn. */
const flagsOf = (constraint: (n: number) => Omit<Constraint, "field">) =>
  Array.from({ length: CONSTRAINTS / 50 }, (_, flag) => ({
    key: `flag-${flag}`,
    name: "",
    enabled: true,
    activation: {
      rollOut: 100,
      constraints: Array.from({ length: 50 }, (__, n) => ({
        field: FIELDS[n % FIELDS.length] ?? "",
        inverted: true,
        ...constraint(flag * 50 + n),
      })),
      segments: [],
    },
  }));

function evaluateAll(flags: readonly object[], text: string, regexes?: RegexPool): number {
  const rules = compileRules(flags, regexes && { regexes });
  const context = Object.fromEntries(FIELDS.map((field) => [field, text]));
  const batch = newBatch();
  return [...rules.values()].filter((rule) => evaluateRule(rule, context, batch).enabled).length;
}

afterEach(() => void vi.restoreAllMocks());

interface Counted {
  readonly name: string;
  readonly constraint: (n: number) => Omit<Constraint, "field">;
  readonly text: string;
  /** Counts the slow steps from now on. Returns a function that returns their number. */
  readonly count: () => () => number;
  /** The most slow steps for each field. */
  readonly most: number;
}

const COUNTED: readonly Counted[] = [
  {
    name: "searches of `contains` in the whole text",
    constraint: (n) => ({ operator: "contains", values: [`aa${n}`], contextType: "string" }),
    text: "a".repeat(TEXT),
    count: () => {
      const { mock } = vi.spyOn(String.prototype, "includes");
      return () => mock.calls.length;
    },
    most: SEARCHES_BEFORE_INDEX,
  },
  {
    name: "conversions to lower case",
    constraint: (n) => ({
      operator: "contains",
      values: [`9${n}`],
      contextType: "string",
      caseInsensitive: true,
    }),
    text: "İÄ".repeat(TEXT / 2),
    count: () => {
      const { mock } = vi.spyOn(String.prototype, "toLowerCase");
      return () => mock.contexts.filter((text) => String(text).length === TEXT).length;
    },
    most: 1,
  },
  {
    name: "comparisons of dates with the whole text",
    constraint: () => ({ operator: "gt", values: ["2030-01-01"], contextType: "date" }),
    text: `2020-01-01T00:00:00.${"1".repeat(TEXT - 20)}`,
    count: () => {
      const { mock } = vi.spyOn(RegExp.prototype, "exec");
      return () => mock.calls.filter(([text]) => text.length === TEXT).length;
    },
    most: 1,
  },
];

describe("the worst rules and contexts", () => {
  test.each(COUNTED)(
    "take at most $most $name for each field, however many constraints test it",
    ({ constraint, text, count, most }) => {
      const flags = flagsOf(constraint);
      const counted = count();
      const on = evaluateAll(flags, text);
      const steps = counted();
      vi.restoreAllMocks();
      expect(on).toBe(flags.length);
      expect(steps).toBeGreaterThan(0);
      expect(steps).toBeLessThanOrEqual(most * FIELDS.length);
    },
  );

  test("run regular expressions of at most the allowed size, each once for each field", () => {
    let instructions = 0;
    let texts = 0;
    const regexes = new RegexPool((_pattern, _ignoresCase, size) => {
      let last: string | undefined;
      return {
        test: (text) => {
          if (text === last) return false;
          last = text;
          instructions += size;
          texts += 1;
          return false;
        },
      };
    });
    const patterns = ["(x?){60}x{60}z", "(x?){61}x{60}z"];
    evaluateAll(
      flagsOf((n) => ({
        operator: "matches",
        values: [patterns[n % 2] ?? ""],
        contextType: "string",
      })),
      "x".repeat(TEXT),
      regexes,
    );
    expect(texts).toBeGreaterThan(0);
    expect(instructions).toBeLessThanOrEqual(MAX_ENVIRONMENT_SIZE);
  });
});

describe("the index of a text", () => {
  test("finds the same parts as `includes`, also in texts with few different characters", () => {
    const unit = fc.constantFrom("a", "b", "é", "\u{1f6a9}", "\0", "\uffff");
    const text = fc.string({ unit, maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.array(fc.string({ unit, maxLength: 6 })),
        fc.nat(60),
        (whole, parts, at) => {
          const index = textIndex(whole);
          for (const part of [...parts, whole, whole.slice(at), whole.slice(0, at), `${whole}a`])
            expect(index.includes(part)).toBe(whole.includes(part));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["one character", "a".repeat(8192)],
    ["two halves", `${"a".repeat(4096)}${"b".repeat(4096)}`],
    [
      "different characters",
      String.fromCodePoint(...Array.from({ length: 8192 }, (_, n) => n + 1)),
    ],
  ])("of %s has at most three transitions for each character", (_, text) => {
    expect(textIndex(text).size).toBeLessThanOrEqual(3 * text.length);
  });

  test("throws a RangeError for a text that is too long", () => {
    expect(() => textIndex("a".repeat(8193))).toThrow(RangeError);
  });

  test("gives the same results before and after a text gets it, and after it is dropped", () => {
    const texts = Array.from({ length: 60 }, (_, n) => searchable(`${n}-${"a".repeat(4000)}`));
    for (const round of [1, 2, 3])
      for (const [n, text] of texts.entries())
        for (let search = 0; search <= SEARCHES_BEFORE_INDEX + 1; search++)
          expect([round, text.includes(`${n}-aaa`), text.includes(`${n}-b`)]).toEqual([
            round,
            true,
            false,
          ]);
  });
});
