import type { Flag, Variant } from "../../../shared/api/types.ts";

/** The changes of a flag's variants that change what SDKs get. */
export interface ServedChanges {
  /** The keys of the variants whose value is another one. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly isOffChanged: boolean;
}

/**
 * Compares the variants of a flag with new ones. A new variant is not among the changes, because no
 * rule serves it yet.
 */
export function servedChanges(
  flag: Pick<Flag, "variants" | "offVariant">,
  variants: readonly Variant[],
  offVariant: string | null,
): ServedChanges {
  const next = new Map(variants.map(({ key, value }) => [key, JSON.stringify(value)]));
  const changed: string[] = [];
  const removed: string[] = [];
  for (const { key, value } of flag.variants) {
    const now = next.get(key);
    if (now === undefined) removed.push(key);
    else if (now !== JSON.stringify(value)) changed.push(key);
  }
  return { changed, removed, isOffChanged: offVariant !== flag.offVariant };
}
