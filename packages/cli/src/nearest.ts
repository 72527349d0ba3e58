import { nearest } from "@feature-flags/file/nearest";

/** Returns a sentence that names the nearest name, or the names that exist. */
export function didYouMean(text: string, names: readonly string[]): string {
  const name = text === "" ? undefined : nearest(text, names);
  if (name !== undefined) return `Did you mean ${name}?`;
  const shown = names.slice(0, 20).join(", ");
  return names.length === 0 ? "None exists." : `These exist: ${shown}.`;
}
