import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cappedContents } from "../../../src/core/audit/capped-contents.ts";
import { changedFields } from "../../../src/core/audit/changed-fields.ts";
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
