import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cappedContents } from "../../../src/core/audit/capped-contents.ts";
import { canonicalJson, changedFields } from "../../../src/core/audit/changed-fields.ts";
import { earlierContent, hasOmittedParts } from "../../../src/core/audit/earlier-content.ts";
import { countSharedItemsOfFields } from "../../../src/core/audit/shared-items.ts";

/** Returns one audit record for each change from a content to the next one, newest first. */
async function recordsOf(contents: readonly Record<string, unknown>[]) {
  const records = await Promise.all(
    contents.slice(1).map(async (after, n) => {
      const changed = changedFields({ before: contents[n] ?? {}, after });
      return changed ? [await cappedContents(changed)] : [];
    }),
  );
  return records
    .flat()
    .map(({ before, after }) => ({ before, after }))
    .toReversed();
}

const texts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => String(from + n).padStart(200, "c"));

describe("the content before a series of changes", () => {
  it("has the old values of changed fields, and the present values of unchanged fields", async () => {
    const contents = [
      { name: "a", percentage: 10, rules: [] },
      { name: "b", percentage: 10, rules: [] },
      { name: "c", percentage: 50, rules: [{ id: "x" }] },
    ];
    const records = await recordsOf(contents);
    expect(earlierContent(contents[2] ?? {}, records)).toEqual(contents[0]);
    expect(earlierContent(contents[2] ?? {}, records.slice(0, 1))).toEqual(contents[1]);
    expect(earlierContent(contents[2] ?? {}, [])).toEqual(contents[2]);
  });

  it("has the list items that the records count instead of repeating them", async () => {
    const country = (values: string[]) => ({ field: "country", operator: "in", values });
    const contents = [
      { constraints: [country(["de"]), country(texts(0, 500))] },
      { constraints: [country(["de"]), country(["new", ...texts(0, 100), ...texts(101, 500)])] },
      { constraints: [country(["new", ...texts(0, 100), ...texts(101, 500)]), country(["at"])] },
      { constraints: [] },
      { constraints: [country(texts(0, 500))] },
    ];
    const records = (await recordsOf(contents)).slice(2);
    expect(JSON.stringify(records)).toContain("$unchanged");
    expect(earlierContent(contents[2] ?? {}, records)).toEqual(contents[0]);
    expect(hasOmittedParts(contents)).toBe(false);
  });

  it("is marked as incomplete if an audit record contains only a part of a long value", async () => {
    const contents = [{ value: texts(0, 500) }, { value: texts(500, 900) }];
    const content = earlierContent(contents[1] ?? {}, await recordsOf(contents));
    expect(hasOmittedParts(content)).toBe(true);
  });

  it("is marked as incomplete if the full list is not the one that the newest record describes", async () => {
    const contents = [{ value: texts(0, 500) }, { value: texts(1, 500) }];
    const now = { value: texts(1, 499) };
    expect(hasOmittedParts(earlierContent(now, await recordsOf(contents)))).toBe(true);
  });

  describe("of older records, whose values of users can look like markers,", () => {
    it.each([
      ["a large count on one side only", [{ $unchanged: 2 ** 52 }], ["x"]],
      ["a count on one side only", [{ $unchanged: 2 }, "q"], ["x", "y", "z"]],
      ["another type on the other side", [{ $unchanged: 1 }], "x"],
      ["a count that is none", [{ $unchanged: -1 }, { $unchanged: "1" }], [{ $unchanged: 0.5 }]],
      ["the same count in lists of one item", [{ $unchanged: 1 }], [{ $unchanged: 1 }, "x"]],
      ["a value that is cut", [{ $cut: 1 }, { $cut: { bytes: "1" } }], ["x"]],
    ])("has values that cannot be markers as they are: %s", (_, before, after) => {
      const record = { before: { value: before }, after: { value: after } };
      expect(earlierContent({ value: after }, [record])).toEqual({ value: before });
    });

    it("is marked as incomplete if both lists count equally many items, and more than there are", () => {
      const [before, after] = [[{ $unchanged: 2 ** 52 }], [{ $unchanged: 2 ** 52 }, "x"]];
      const content = earlierContent({ value: after }, [
        { before: { value: before }, after: { value: after } },
      ]);
      expect(hasOmittedParts(content)).toBe(true);
    });
  });

  describe("for random JSON, whose keys and values are like those of markers,", () => {
    const keys = fc.constantFrom("$unchanged", "$cut", "$$unchanged", "$$$cut", "__proto__", "a");
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom(1, 2, "$cut", "", null, { bytes: 1, items: 1, sha256: "a" }),
        fc.array(tie("json"), { maxLength: 5 }),
        fc
          .array(fc.tuple(keys, tie("json")), { maxLength: 2 })
          .map((entries): unknown => Object.fromEntries(entries)),
      ),
    }));
    const content = fc.record({ value: json, list: fc.array(json, { maxLength: 6 }) });
    const runsOf = (more: (n: number) => object) =>
      fc
        .array(content, { minLength: 2, maxLength: 4 })
        .map((contents) => contents.map((one, n) => ({ ...one, ...more(n) })));
    /** Returns the content before all changes, restored from records as the database has them. */
    const restored = async (contents: readonly Record<string, unknown>[]) => {
      const records = JSON.stringify(await recordsOf(contents));
      return { content: earlierContent(contents.at(-1) ?? {}, JSON.parse(records)), records };
    };

    it("is exact if the records are exact", () =>
      fc.assert(
        fc.asyncProperty(
          runsOf(() => ({})),
          async (contents) => {
            const { content: first } = await restored(contents);
            expect(canonicalJson(first)).toBe(canonicalJson(contents[0]));
          },
        ),
        { numRuns: 500 },
      ));

    it("is exact if the records count items instead of repeating them", async () => {
      let counted = 0;
      const long = texts(0, 200);
      await fc.assert(
        fc.asyncProperty(
          runsOf((n) => ({ long: long.slice(n) })),
          async (contents) => {
            const { content: first, records } = await restored(contents);
            expect(canonicalJson(first)).toBe(canonicalJson(contents[0]));
            if (/"list":\[[^\]]*\{"\$unchanged"/.test(records)) counted++;
          },
        ),
        { numRuns: 200 },
      );
      expect(counted).toBeGreaterThan(20);
    });

    it("is exact except for the values that the records cut", () =>
      fc.assert(
        fc.asyncProperty(
          runsOf((n) => ({ long: texts(n * 300, n * 300 + 300) })),
          async (contents) => {
            const { content: first } = await restored(contents);
            expect(hasOmittedParts(first["long"])).toBe(true);
            expect(canonicalJson({ ...first, long: [] })).toBe(
              canonicalJson({ ...contents[0], long: [] }),
            );
          },
        ),
        { numRuns: 200 },
      ));
  });

  it("is the same with shortened records as with full records, for random lists", () => {
    const item = fc.oneof(
      fc.nat(3),
      fc.record({ id: fc.nat(2), values: fc.array(fc.nat(3), { maxLength: 4 }) }),
    );
    const content = fc.record({ list: fc.array(item, { maxLength: 6 }) });
    fc.assert(
      fc.property(content, content, (before, after) => {
        const [shortBefore, shortAfter] = countSharedItemsOfFields(before, after);
        const record = { before: shortBefore, after: shortAfter };
        expect(earlierContent(after, [record])).toEqual(before);
      }),
    );
  });
});
