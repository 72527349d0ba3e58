import { foldCase } from "@feature-flags/evaluation/fold";
import { type SQL, sql } from "drizzle-orm";

/**
 * The most forms of letters that a search replaces. Each one is a level of the expression, of which D1
 * allows 100, and subqueries add up. A text has more only with the letters of several alphabets.
 */
const MAX_FORMS = 44;

/** The ranges of Unicode beyond ASCII that have letters with case. */
const CASED = [
  [0x80, 0x2e00],
  [0xa640, 0xac00],
  [0xfb00, 0xff60],
  [0x1_0400, 0x1_1900],
  [0x1_6e40, 0x1_6ec0],
  [0x1_e900, 0x1_e944],
] as const;

/** The forms of each letter without regard to case, except for the letter itself. Made at first use. */
let forms: ReadonlyMap<string, readonly string[]> | undefined;

function formsByLetter(): ReadonlyMap<string, readonly string[]> {
  const letters = CASED.flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, n) => String.fromCodePoint(from + n)),
  ).filter((letter) => foldCase(letter) !== letter);
  return Map.groupBy(letters, foldCase);
}

/**
 * Returns the SQL condition that a text contains another one, without regard to case. SQLite folds only
 * the case of ASCII letters. So the condition replaces the other forms of those letters that the
 * searched text has; no other letter can be part of a match. Reads no further rows.
 */
export function containsText(text: SQL, searched: string): SQL {
  const folded = foldCase(searched);
  forms ??= formsByLetter();
  let haystack = sql`lower(${text})`;
  const replaced = Array.from(new Set(folded))
    .flatMap((letter) => (forms?.get(letter) ?? []).map((form) => [form, letter] as const))
    // The upper case first, because other forms are rare.
    .toSorted(
      ([a, one], [b, other]) => Number(b === other.toUpperCase()) - Number(a === one.toUpperCase()),
    )
    .slice(0, MAX_FORMS);
  // Both are letters, so that the literals need no escaping.
  for (const [form, letter] of replaced)
    haystack = sql`replace(${haystack}, ${sql.raw(`'${form}'`)}, ${sql.raw(`'${letter}'`)})`;
  // Uses `instr` instead of `LIKE`, because D1 limits a LIKE pattern to 50 bytes, and wildcards in the
  // searched text would need escaping.
  return sql`instr(${haystack}, ${folded}) > 0`;
}
