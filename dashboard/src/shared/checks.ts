/** Returns how often a flag is evaluated on a day, on average since the first day with an evaluation. */
export function checksADay(counts: readonly number[]): number {
  const first = counts.findIndex((count) => count > 0);
  return first === -1 ? 0 : sum(counts) / (counts.length - first);
}

export const sum = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);
