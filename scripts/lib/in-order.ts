/**
 * Processes the items one after the other, and returns the results. So measurements do not compete for
 * the CPU, and created rows have their ids in the order of the items.
 */
export async function inOrder<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item, results.length));
  return results;
}
