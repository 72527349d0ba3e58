/** The least similarity of two names that belong together, 0 to 1. */
const LEAST = 0.4;

/**
 * Returns up to `limit` names that look like the given one, the most similar first. Two names are
 * similar if they share many pairs of neighbouring characters (Sørensen–Dice).
 */
export function similar(name: string, names: readonly string[], limit: number): string[] {
  const given = pairsOf(name);
  return names
    .map((one) => ({ one, score: share(given, pairsOf(one)) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ one }) => one);
}

function pairsOf(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, lower.length - 1) }, (_, n) => lower.slice(n, n + 2)),
  );
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const total = a.size + b.size;
  return total === 0 ? 0 : (2 * a.intersection(b).size) / total;
}
