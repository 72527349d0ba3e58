import { MAX_INDEXED_LENGTH, type TextIndex, textIndex } from "./text-index.ts";

/** A text in which parts are searched. */
export interface Searchable {
  /** Whether the text contains the part. */
  readonly includes: (part: string) => boolean;
}

/**
 * The shortest text that gets an index, in characters. A search in a shorter text is about as fast
 * without one.
 */
const MIN_INDEXED_LENGTH = 17;

/**
 * After how many searches a text gets an index. Making the index takes about as long as this many of
 * the slowest searches.
 */
export const SEARCHES_BEFORE_INDEX = 64;

/**
 * The most characters of all texts that have an index: the texts of the largest context that the
 * service accepts (65,536), as they are and in lower case, where each may become two. An index takes
 * up to 40 bytes for each character.
 */
const MAX_INDEXED_TOTAL = 196_608;

/**
 * Returns the text in a form in which many searches take time in the length of the parts, and not in
 * their number times the length of the text.
 */
export const searchable = (text: string): Searchable =>
  text.length < MIN_INDEXED_LENGTH || text.length > MAX_INDEXED_LENGTH
    ? text
    : new SearchableText(text);

class SearchableText implements Searchable {
  readonly text: string;
  #searches = 0;
  #index: TextIndex | undefined;

  constructor(text: string) {
    this.text = text;
  }

  includes(part: string): boolean {
    if (this.#index !== undefined) return this.#index.includes(part);
    if (this.#searches++ < SEARCHES_BEFORE_INDEX) return this.text.includes(part);
    makeRoom(this);
    this.#index = textIndex(this.text);
    return this.#index.includes(part);
  }

  /** Frees the memory of the index. */
  dropIndex(): void {
    this.#searches = 0;
    this.#index = undefined;
  }
}

/** The texts that have an index, the oldest first. */
const indexed: SearchableText[] = [];
let indexedTotal = 0;

/** Drops the oldest indexes until there is room for the index of the text. */
function makeRoom(added: SearchableText): void {
  indexed.push(added);
  indexedTotal += added.text.length;
  while (indexedTotal > MAX_INDEXED_TOTAL) {
    const oldest = indexed.shift();
    oldest?.dropIndex();
    indexedTotal -= oldest?.text.length ?? indexedTotal;
  }
}
