import { fuzzySearch } from "../shared/fuzzy.ts";

/**
 * Returns the items whose text matches every word of the query, the best first. The words may be in
 * any order, and each may have a typing error. A query without words matches everything.
 */
export function searchWords<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): readonly T[] {
  const ranks = wordsOf(query).map(
    (word) => new Map(fuzzySearch(items, word, textOf).map((item, rank) => [item, rank])),
  );
  const sumOf = (item: T) => ranks.reduce((sum, rank) => sum + (rank.get(item) ?? 0), 0);
  return items
    .filter((item) => ranks.every((rank) => rank.has(item)))
    .toSorted((a, b) => sumOf(a) - sumOf(b));
}

export const wordsOf = (query: string): readonly string[] =>
  query.split(/\s+/).filter((word) => word !== "");

/** The shortest word that can be the beginning of the name of a list, such as "seg" for "Segments". */
const MIN_KIND = 3;

/**
 * Returns the word with which the service searches a list, because it searches for one text: the
 * longest word of the query that is not the name of the list. Undefined if there is none.
 */
export function searchedWord(query: string, list: string): string | undefined {
  const names = wordsOf(list.toLowerCase());
  const isName = (word: string) =>
    word.length >= MIN_KIND && names.some((name) => name.startsWith(word.toLowerCase()));
  const words = wordsOf(query).filter((word) => !isName(word));
  return words.toSorted((a, b) => b.length - a.length)[0];
}
