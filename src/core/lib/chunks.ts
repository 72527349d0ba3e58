const encoder = new TextEncoder();

/** The size of a value on its way through a queue or into a statement: bytes of its JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

interface Limits {
  /** Of all items of a chunk together; one that is larger stands alone. */
  readonly size: number;
  readonly count?: number;
}

/** The items in their order, in as few chunks as the limits allow. */
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
