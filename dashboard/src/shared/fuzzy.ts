import uFuzzy from "@leeoniya/ufuzzy";

/** Each word of the query may have one wrong, missing, additional or swapped letter. */
const matcher = new uFuzzy({
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
  intraMode: 1,
});

/**
 * Returns the items whose text matches the query, the best first. The words of the query may be in
 * any order and have typing errors. An empty query matches everything.
 */
export function fuzzySearch<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): readonly T[] {
  const needle = query.trim();
  if (needle === "") return items;
  const [found, , order] = matcher.search(items.map(textOf), needle, 3);
  if (!found) return [];
  const ranked = order ? order.map((position) => found[position]) : found;
  return ranked.flatMap((index) => (index === undefined ? [] : (items[index] ?? [])));
}
