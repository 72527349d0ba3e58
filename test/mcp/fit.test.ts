import { expect, it } from "vitest";
import { jsonBytes } from "../../src/core/lib/chunks.ts";
import {
  cut,
  cutParts,
  cutText,
  firstThatFit,
  fitting,
  visibleJson,
} from "../../src/mcp/session/fit.ts";
import { readPage } from "../../src/mcp/session/page.ts";

it("cuts a value above the limit, and says its size and its number of items", () => {
  expect(cut("abc", 5)).toBe("abc");
  expect(cut("abcd", 5)).toEqual({ $cut: { bytes: 6 } });
  expect(cut([1, 2, 3], 5)).toEqual({ $cut: { bytes: 7, items: 3 } });
  expect(cutText("abcdef", 3)).toBe("ab…");
});

it("cuts the parts of objects and of lists of objects", () => {
  const rules = [{ name: "a", values: ["x".repeat(50)] }, { name: "b" }];
  expect(cutParts({ on: true, rules }, 20)).toEqual({
    on: true,
    rules: [{ name: "a", values: { $cut: { bytes: 54, items: 1 } } }, { name: "b" }],
  });
});

it("takes the first result that fits, and the smallest if none does", () => {
  const make = (bytes: number) => (max: number) => "x".repeat(Math.min(bytes, max * 40));
  expect(fitting(make(100))).toHaveLength(100);
  expect(fitting(make(30_000))).toHaveLength(256 * 40);
  expect(fitting((max) => ({ max, text: "x".repeat(30_000) })).max).toBe(0);
});

it("returns items up to the limit of bytes, but at least one", () => {
  expect(firstThatFit(["aa", "bb", "cc"], 10)).toEqual(["aa", "bb"]);
  expect(firstThatFit(["a".repeat(50), "b"], 10)).toHaveLength(1);
});

it("removes characters that nobody sees, and keeps line breaks, escapes and emojis", () => {
  const value = { "a\u202e": 'x\u200b\\u0007 "\u001b[31m"\n👩‍💻' };
  expect(JSON.parse(visibleJson(value))).toEqual({ a: 'x\\u0007 "[31m"\n👩‍💻' });
});

it("continues a list where a page with large items ended", async () => {
  const all = Array.from({ length: 7 }, (_, n) => `${n}${"x".repeat(8000)}`);
  const read = async ({ page, size }: { page: number; size: number }) => ({
    items: all.slice(page * size, (page + 1) * size),
    totalItems: all.length,
  });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage({ limit: 5, cursor }, read, (item) => item);
    expect(jsonBytes(page)).toBeLessThan(20_000);
    found.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(found).toEqual(all);
});
