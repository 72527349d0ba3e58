import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cappedContents, MAX_CONTENT_BYTES } from "../../../src/core/audit/capped-contents.ts";
import { jsonBytes } from "../../../src/core/lib/chunks.ts";
import { sha256 } from "../../../src/core/lib/digest.ts";

const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `user-${String(from + n).padStart(40, "0")}`);
const inUsers = (values: readonly string[], more = {}) => ({
  field: "userId",
  operator: "in",
  values,
  contextType: "string",
  ...more,
});

const cutOf = async (value: unknown) => ({
  $cut: {
    bytes: jsonBytes(value),
    ...(Array.isArray(value) && { items: value.length }),
    sha256: await sha256(JSON.stringify(value)),
  },
});

describe("the contents of an audit record", () => {
  it("are stored exactly when they fit into 32 KB, and shortened when they are one byte larger", async () => {
    const name = "n".repeat(MAX_CONTENT_BYTES - jsonBytes({ after: { name: "" } }));
    const exact = { before: undefined, after: { name } };
    expect(await cappedContents(exact)).toEqual(exact);
    const larger = await cappedContents({ after: { name: `${name}n` } });
    expect(larger).toEqual({ after: { name: await cutOf(`${name}n`) } });
  });

  it("have another $ before the keys of markers in values of users", async () => {
    const value = [{ $unchanged: 1, $$cut: [{ $cut: "$cut" }] }, "$unchanged"];
    const stored = [{ $$unchanged: 1, $$$cut: [{ $$cut: "$cut" }] }, "$unchanged"];
    expect(await cappedContents({ after: { value } })).toEqual({ after: { value: stored } });
  });

  it("contain the size and the hash of a cut value without that $", async () => {
    const value = [[{ $cut: "n".repeat(MAX_CONTENT_BYTES) }]];
    expect(await cappedContents({ after: { value } })).toEqual({
      after: { value: await cutOf(value) },
    });
  });

  it("contain the number of items that both sides of a long list have, and the other items exactly", async () => {
    const before = { constraints: [inUsers(["a"]), inUsers(users(0, 600))] };
    const after = {
      constraints: [inUsers(["a"]), inUsers(["new", ...users(0, 300), ...users(301, 600)])],
    };
    expect(await cappedContents({ before, after })).toEqual({
      before: {
        constraints: [
          { $unchanged: 1 },
          inUsers([{ $unchanged: 300 }, ...users(300, 301), { $unchanged: 299 }] as string[]),
        ],
      },
      after: {
        constraints: [{ $unchanged: 1 }, inUsers(["new", { $unchanged: 599 }] as string[])],
      },
    });
  });

  it("contain the size and the hash in place of a list with too many changed items", async () => {
    const [old, wanted] = [users(0, 600), users(600, 1200)];
    const before = { name: "a", constraints: [inUsers(old), inUsers(["x"])] };
    const after = { name: "b", constraints: [inUsers(wanted), inUsers(["x"])] };
    expect(await cappedContents({ before, after })).toEqual({
      before: {
        name: "a",
        constraints: [{ ...inUsers([]), values: await cutOf(old) }, { $unchanged: 1 }],
      },
      after: {
        name: "b",
        constraints: [{ ...inUsers([]), values: await cutOf(wanted) }, { $unchanged: 1 }],
      },
    });
  });

  it("contain the size and the hash in place of a list in a creation or a deletion", async () => {
    const values = users(0, 1000);
    const content = { name: "beta", constraints: [inUsers(values)] };
    const cut = { name: "beta", constraints: [{ ...inUsers([]), values: await cutOf(values) }] };
    expect(await cappedContents({ before: content })).toEqual({ before: cut });
    expect(await cappedContents({ after: content })).toEqual({ after: cut });
  });

  it("keep fields of at most 512 bytes when a list has too many small objects", async () => {
    const constraints = users(0, 1000).map((user) => inUsers([user]));
    const content = { name: "n".repeat(510), description: "n".repeat(511), constraints };
    expect(await cappedContents({ after: content })).toEqual({
      after: {
        name: content.name,
        description: await cutOf(content.description),
        constraints: await cutOf(constraints),
      },
    });
  });

  it("take at most 32 KB for random changes", async () => {
    const text = fc.string({ maxLength: 200, unit: "binary" });
    const values = fc.array(text, { maxLength: 400 });
    const constraint = values.map((list) => inUsers(list));
    const content = fc.record({
      text,
      values,
      constraints: fc.array(constraint, { maxLength: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        const capped = await cappedContents({ before, after });
        expect(jsonBytes(capped)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
        expect(Object.keys(capped.after ?? {})).toEqual(Object.keys(after));
      }),
      { numRuns: 30 },
    );
  });
});
