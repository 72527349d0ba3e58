const encoder = new TextEncoder();

/** The bytes of a value's JSON in UTF-8: its size in a queue message or a bound parameter. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

interface Limits {
  /** The most that the items of a chunk add up to. An item that is larger gets a chunk of its own. */
  readonly size: number;
  /** The most items in a chunk. Default: no limit. */
  readonly count?: number;
}

/** Splits the items, in their order, into as few chunks as the limits allow. */
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
