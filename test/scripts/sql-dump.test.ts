import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitInsert, statementsIn } from "../../scripts/lib/sql-dump.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The form in which SQLite dumps a text with line breaks. */
const escaped = (text: string) =>
  text.includes("\n")
    ? `replace(${quoted(text.replaceAll("\n", "\\n"))},'\\n',char(10))`
    : quoted(text);

const insertOf = (id: number, number: number | null, ...texts: readonly string[]) =>
  `INSERT INTO "t" ("id","n","a","b") VALUES(${id},${number ?? "NULL"},${texts.map(escaped).join(",")});`;

function rowsAfter(statements: readonly string[]) {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE TABLE t (id INTEGER, n REAL, a TEXT NOT NULL, b TEXT, PRIMARY KEY (id, n))",
  );
  for (const statement of statements) database.exec(statement);
  return structuredClone(database.prepare("SELECT * FROM t ORDER BY id").all());
}

async function* linesOf(text: string) {
  yield* text.split("\n");
}

describe("splitInsert", () => {
  it("returns a short statement and a statement of another kind as they are", () => {
    const short = insertOf(1, 2, "a", "b");
    expect(splitInsert(short)).toEqual([short]);
    const index = `CREATE INDEX "i" ON "t" ("a") -- ${"x".repeat(100_000)};`;
    expect(splitInsert(index)).toEqual([index]);
  });

  it.each([
    ["quotes", "'".repeat(100_000)],
    ["commas and brackets", "),('".repeat(50_000)],
    ["three bytes for each character", "語".repeat(300_000)],
    ["pairs of surrogates", `a${"😀".repeat(100_000)}`],
    ["backslashes", `${"\\".repeat(40_000)}${"x".repeat(200_000)}`],
    ["line breaks", "\n".repeat(60_000)],
    ["backslashes before line breaks", "\\\\\n".repeat(30_000)],
  ])("returns statements below 100 KB that restore a row with many: %s", (_, text) => {
    const statements = splitInsert(insertOf(7, 0.5, text, `b${text}`));
    for (const statement of statements)
      expect(new TextEncoder().encode(statement).byteLength).toBeLessThan(100_000);
    const others = [insertOf(7, 1.5, "x", "y"), insertOf(8, 0.5, "x", "y")];
    expect(rowsAfter([...others, ...statements])).toEqual([
      { id: 7, n: 0.5, a: text, b: `b${text}` },
      { id: 7, n: 1.5, a: "x", b: "y" },
      { id: 8, n: 0.5, a: "x", b: "y" },
    ]);
  });
});

describe("a dump", () => {
  it("restores the same rows after its statements were read and split", async () => {
    const text = fc
      .tuple(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom(1, 1000, 30_000),
        fc.constantFrom("", ";\n", "'"),
      )
      .map(([piece, times, end]) => piece.repeat(times / Math.max(1, piece.length)) + end)
      // SQLite ends a text at NUL.
      .filter((one) => !one.includes("\0"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 5 }), async (pairs) => {
        const dump = pairs
          .map(
            ([a, b], n) =>
              `INSERT INTO "t" ("id","n","a","b") VALUES(${n},1,${quoted(a)},${quoted(b)});`,
          )
          .join("\n");
        const statements: string[] = [];
        for await (const statement of statementsIn(linesOf(dump)))
          statements.push(...splitInsert(statement));
        expect(rowsAfter(statements)).toEqual(pairs.map(([a, b], id) => ({ id, n: 1, a, b })));
      }),
      { numRuns: 200 },
    );
  });
});
