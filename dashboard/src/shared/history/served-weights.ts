/** The percentage of each variant that a rule serves, by variant key. */
export type ServedWeights = ReadonlyMap<string, number>;

export interface WeightChange {
  readonly variant: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Returns what a rule serves as weights: a single variant has 100 %. Returns undefined if the value
 * of an audit record does not say what a rule serves.
 */
export function servedWeights(value: unknown): ServedWeights | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { variant, weights } = value as { readonly variant?: unknown; readonly weights?: unknown };
  if (typeof variant === "string") return new Map([[variant, 100]]);
  if (typeof weights !== "object" || weights === null) return undefined;
  const entries = Object.entries(weights);
  return entries.every((entry): entry is [string, number] => typeof entry[1] === "number")
    ? new Map(entries.filter(([, weight]) => weight > 0))
    : undefined;
}

/** Returns the variants whose weights differ, in the order of the new weights. */
export function weightChanges(before: ServedWeights, after: ServedWeights): WeightChange[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((variant) => ({
      variant,
      before: before.get(variant) ?? 0,
      after: after.get(variant) ?? 0,
    }))
    .filter((change) => change.before !== change.after);
}

/** Returns the variant that a rule serves to all of its users. Undefined for a split. */
export function onlyVariant(weights: ServedWeights): string | undefined {
  const [variant, ...others] = weights.keys();
  return others.length === 0 ? variant : undefined;
}
