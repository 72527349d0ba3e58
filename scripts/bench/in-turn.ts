/** Does the work for one item after the other: what is measured must not compete with itself. */
export async function inTurn<T, R>(
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
