/**
 * The longest SQL statement of a backup, in characters that take up to three bytes. D1 accepts
 * statements of 100 KB (https://developers.cloudflare.com/d1/platform/limits/).
 */
const MAX_STATEMENT = 30_000;

/** The most characters of a value that stays in its INSERT. A table has at most 20 columns. */
const MAX_VALUE = 1_000;

/** The most characters of a value that may identify a row, such as an id or the hash of a key. */
const MAX_KEY = 200;

/**
 * Returns the statements in the lines of a dump. A line break inside of a quoted text does not end a
 * statement.
 */
export async function* statementsIn(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  let isQuoted = false;
  for await (const line of lines) {
    text += text === "" ? line : `\n${line}`;
    if (line.split("'").length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted || !line.trimEnd().endsWith(";")) continue;
    yield text;
    text = "";
  }
  if (text.trim() !== "") yield text;
}

/** Returns the table that a statement of a dump creates; undefined for another statement. */
export const tableOf = (statement: string): string | undefined =>
  /^CREATE TABLE (?:IF NOT EXISTS )?["'`]?(\w+)/.exec(statement)?.[1];

/**
 * Returns statements that insert the same row as an INSERT that is too long for D1. The first inserts
 * the row without its long texts, and the others append these in parts. Other statements, and short
 * ones, are returned as they are.
 */
export function splitInsert(statement: string): string[] {
  const parts = /^INSERT INTO ("[^"]+") \(([^)]*)\) VALUES ?\((.*)\);\s*$/s.exec(statement);
  if (statement.length <= MAX_STATEMENT || !parts) return [statement];
  const [, table = "", names = "", list = ""] = parts;
  const columns = names.split(",");
  const values = valuesIn(list);
  const isLong = (value: string) => value.length > MAX_VALUE && value.includes("'");
  const row = columns
    .flatMap((column, n) => {
      const value = values[n] ?? "NULL";
      return value.length <= MAX_KEY ? [`${column} IS ${value}`] : [];
    })
    .join(" AND ");
  return [
    `INSERT INTO ${table} (${names}) VALUES(${values.map((one) => (isLong(one) ? "''" : one)).join(",")});`,
    ...columns.flatMap((column, n) => {
      const value = values[n] ?? "";
      if (!isLong(value)) return [];
      return partsOf(value).map(
        (part) => `UPDATE ${table} SET ${column} = ${column} || ${part} WHERE ${row};`,
      );
    }),
  ];
}

/** Returns the values in a list of SQL literals and calls, such as `1,'a''b',replace('c','d','e')`. */
function valuesIn(list: string): string[] {
  const values: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let n = 0; n <= list.length; n++) {
    const character = list[n];
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (n < list.length && (character !== "," || depth > 0)) continue;
    values.push(list.slice(start, n));
    start = n + 1;
  }
  return values;
}

/**
 * Returns SQL expressions whose texts together are the text of `value`: a quoted text, perhaps within
 * calls that replace an escape such as `\n`, which no part cuts.
 */
function partsOf(value: string): string[] {
  const start = value.indexOf("'");
  const [quoted = ""] = /^(?:'(?:[^']|'')*')/.exec(value.slice(start)) ?? [];
  const [before, after] = [value.slice(0, start), value.slice(start + quoted.length)];
  const text = quoted.slice(1, -1).replaceAll("''", "'");
  const pieces =
    text.match(
      new RegExp(
        `[^]{1,${MAX_STATEMENT / 2}}(?<![\\\\\\ud800-\\udbff])|[^]{1,${MAX_STATEMENT / 2}}`,
        "g",
      ),
    ) ?? [];
  return pieces.map((piece) => `${before}'${piece.replaceAll("'", "''")}'${after}`);
}
