/** Returns the name that differs from `text` least, if it is near enough to be a typing error. */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  if (text === "") return undefined;
  const limit = Math.max(1, Math.floor(text.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - text.length) > limit) continue;
    const found = distance(text.toLowerCase(), name.toLowerCase());
    if (found <= limit && found < (best?.distance ?? Infinity)) best = { name, distance: found };
  }
  return best?.name;
}

/** The Levenshtein distance: how many characters must be inserted, deleted or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, character] of Array.from(one).entries()) {
    const next = [line + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns a sentence that names the nearest name, or the names that exist. */
export function didYouMean(text: string, names: readonly string[]): string {
  const name = nearest(text, names);
  if (name !== undefined) return `Did you mean ${name}?`;
  const shown = names.slice(0, 20).join(", ");
  return names.length === 0 ? "None exists." : `These exist: ${shown}.`;
}
