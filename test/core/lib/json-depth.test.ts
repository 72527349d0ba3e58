import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeeperThan } from "../../../src/core/lib/json-depth.ts";
import { cpuTime } from "../../support/cpu-time.ts";

const nested = (levels: number, open = "[", close = "]") =>
  open.repeat(levels) + close.repeat(levels);

/** Returns the depth of a parsed JSON value. The tests compare isDeeperThan with this function. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("isDeeperThan", () => {
  it.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
    ["both", '[{"a":', "}]"],
  ])("counts the nesting levels exactly: %s", (_, open, close) => {
    const text = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
    const each = open === '[{"a":' ? 2 : 1;
    expect(isDeeperThan(32, text(32 / each))).toBe(false);
    expect(isDeeperThan(32, text(32 / each + 1))).toBe(true);
  });

  it("does not count sibling values", () => {
    expect(isDeeperThan(2, `[${"[],".repeat(1000)}[]]`)).toBe(false);
  });

  it.each([
    ["brackets", JSON.stringify(["[".repeat(100)])],
    ["quotes and brackets", JSON.stringify([`"${"[".repeat(100)}`, '"{'.repeat(100)])],
    ["backslashes before the end", JSON.stringify(["\\", "\\\\", '\\"', "[".repeat(100)])],
  ])("ignores %s in a string", (_, text) => {
    expect(isDeeperThan(1, text)).toBe(false);
    expect(isDeeperThan(1, `[${text}]`)).toBe(true);
  });

  it("agrees with a recursive implementation for random JSON, with or without white space", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.nat(3),
        fc.integer({ min: 1, max: 7 }),
        (value, space, levels) => {
          expect(isDeeperThan(levels, JSON.stringify(value, undefined, space))).toBe(
            depthOf(value) > levels,
          );
        },
      ),
      { seed: 20_261_120, numRuns: 2_000 },
    );
  });

  it("takes less than 5 seconds of CPU time for a million levels and a million escaped characters", () => {
    const ms = cpuTime(() => {
      expect(isDeeperThan(32, nested(1_000_000))).toBe(true);
      expect(isDeeperThan(2_000_000, nested(1_000_000))).toBe(false);
      expect(isDeeperThan(32, `["${"\\".repeat(1_000_000)}"]`)).toBe(false);
      expect(isDeeperThan(32, `["${'\\"'.repeat(500_000)}"]`)).toBe(false);
    });
    // Allows 250 times the usual time of 0.02 s. An algorithm with quadratic running time would
    // need minutes.
    expect(ms).toBeLessThan(5_000);
  });

  it.each(["", '"', '["', '["a\\', "]]]]", "\\\\\\"])(
    "does not throw for text that is not JSON: %j",
    (text) => {
      expect(isDeeperThan(0, `${text}${text}`)).toBeTypeOf("boolean");
    },
  );
});
