import type { EnrichedFlag } from "../api/types.ts";
import { fuzzySearch } from "../fuzzy.ts";

/** How many flags are read for each part of the text. */
const CANDIDATES = 50;

/** A shorter text is not searched for typing errors, because too many flags are similar to it. */
const MIN_LENGTH = 4;

/** Returns the first `size` flags whose name or key contains the text. */
type Load = (search: string, size: number) => Promise<readonly EnrichedFlag[]>;

const nameAndKey = ({ name, key }: Pick<EnrichedFlag, "name" | "key">): string => `${name} ${key}`;

/**
 * Finds flags for a text with a typing error, the best first. Searches for the start and the end of
 * the text, without the letter between them: a flag that differs in one letter, or in two swapped
 * letters, contains one of them.
 */
export async function similarFlags(text: string, load: Load): Promise<readonly EnrichedFlag[]> {
  if (text.length < MIN_LENGTH) return [];
  const middle = Math.floor(text.length / 2);
  const parts = [text.slice(0, middle), text.slice(middle + 1)].map((part) => part.trim());
  const found = await Promise.all(
    parts.filter((part) => part !== "").map((part) => load(part, CANDIDATES)),
  );
  return fuzzySearch(uniqueFlags(found.flat()), text, nameAndKey);
}

export const uniqueFlags = (flags: readonly EnrichedFlag[]): readonly EnrichedFlag[] => [
  ...new Map(flags.map((flag) => [flag.id, flag])).values(),
];
