/** The most characters of a name that an error repeats. */
export const MAX_NAME = 200;

/**
 * Returns the name that begins like the given one, or else the name with the fewest differing
 * letters. Undefined if all differ in more than two.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const given = name.toLowerCase();
  const distances = known.flatMap((one) => {
    const other = one.toLowerCase();
    const isStart = given !== "" && (other.startsWith(given) || given.startsWith(other));
    if (!isStart && Math.abs(given.length - other.length) > 2) return [];
    return { one, distance: isStart ? 0 : distance(given, other) };
  });
  const [best] = distances.toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= 2 ? best.one : undefined;
}

/** Returns how many letters must be added, removed or replaced to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, char] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + Number(char !== b[j])),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
