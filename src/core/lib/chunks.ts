const encoder = new TextEncoder();

/**
 * Returns the size of a value as JSON in UTF-8, bytes. A queue message or a bound parameter takes this size.
 */
export const jsonBytes = (value: unknown): number => textBytes(JSON.stringify(value) ?? "");

const NOT_ASCII = /[^\0-\x7f]/;

/** Returns the size of a text in UTF-8, bytes. Most texts are ASCII, which needs no copy. */
export const textBytes = (text: string): number =>
  NOT_ASCII.test(text) ? encoder.encode(text).length : text.length;

interface Limits {
  /**
   * The greatest total size of the items in a chunk, in the unit of `sizeOf`. A larger item gets a
   * chunk of its own.
   */
  readonly size: number;
  /** The greatest number of items in a chunk. Default: no limit. */
  readonly count?: number;
}

/** Splits a list of items, in order, into as few chunks as the limits allow. */
export function chunked<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  { size: maxSize, count: maxCount = Infinity }: Limits,
): T[][] {
  const chunks: T[][] = [];
  let last: T[] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (chunks.length === 0 || size > room || last.length === maxCount) {
      last = [];
      chunks.push(last);
      room = maxSize;
    }
    last.push(item);
    room -= size;
  }
  return chunks;
}
