/** Processes the items one after the other, so that measurements do not compete for the CPU. */
export async function sequentially<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  async function* one() {
    for (const item of items) yield work(item);
  }
  const results: R[] = [];
  for await (const result of one()) results.push(result);
  return results;
}
