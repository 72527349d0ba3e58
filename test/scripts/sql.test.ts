import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/**
 * A list of a statement, with or without an alias, that is joined with a table. SQLite may read the table first,
 * and then parses the whole list once for each row: 200 flags with ten prerequisites each took 330 ms,
 * and 7 ms with CROSS JOIN, which keeps the order, as LEFT JOIN does.
 */
const LIST_JOINED =
  /(?:json_each\([^`]*?\}\)|\$\{jsonRows\(\w+\)\})(?:\s+(?!LEFT|CROSS|INNER)\w+)?\s+(?:INNER )?JOIN\b/g;

it.each([
  ["FROM json_each(${chunk}) j\n JOIN flags r ON r.key = j.value", 1],
  ["FROM ${jsonRows(list)} j LEFT JOIN flags r", 0],
  ["FROM json_each(${ids})\n LEFT JOIN flags r", 0],
  ["FROM json_each(${ids}) JOIN flags r", 1],
  ["FROM json_each(${chunk}) j\n CROSS JOIN flags r ON r.key = j.value", 0],
  ["json_each(${JSON.stringify(counts)}) j JOIN integrations i", 1],
])("finds in %j as many joins: %i", (text, count) => {
  expect(Array.from(text.matchAll(LIST_JOINED))).toHaveLength(count);
});

it("reads a list before the rows that the list names, in every statement of src", () => {
  const found = globSync("src/**/*.ts").flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(LIST_JOINED), ([text]) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
