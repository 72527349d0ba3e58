import { reweight, slotsOf, type StoredSlot, weightsOf } from "@feature-flags/evaluation/slots";
import type { FileServe } from "./file.ts";
import { isSame } from "./json.ts";

export type Split = Extract<FileServe, { readonly weights: unknown }>;

/** What a rule serves after an apply, with its slots. */
export interface ResolvedServe {
  readonly serve: FileServe;
  /** Whether the slots in the file belong to other weights, so that the file needs an update. */
  readonly isOutdated: boolean;
}

/**
 * Returns what a rule serves after an apply. Weights say how many users get a variant, and slots say
 * who. Slots that fit the weights are taken exactly. Otherwise the slots that the rule has now are
 * changed for as few users as possible.
 *
 * `current`: what the rule serves now; undefined for a new rule. `variants`: the keys of the flag's
 * variants, in order.
 */
export function resolvedServe(
  wanted: FileServe,
  current: FileServe | undefined,
  variants: readonly string[],
): ResolvedServe {
  if ("variant" in wanted) return { serve: wanted, isOutdated: false };
  const weights = weightsInOrder(wanted.weights, variants);
  const split = current && withSlots(current, variants);
  const now = split && "weights" in split ? split.slots : undefined;
  const { slots } = wanted;
  const isOutdated = slots !== undefined && !fits(slots, weights);
  if (slots && !isOutdated) return { serve: splitOf(slots, variants), isOutdated };
  const base = now ?? slots;
  const resolved = base ? reweight(base, weights) : slotsOf(weights);
  return { serve: splitOf(resolved, variants), isOutdated };
}

/** Returns a split with its slots. */
export const splitOf = (slots: readonly StoredSlot[], variants: readonly string[]): Split => ({
  weights: Object.fromEntries(weightsInOrder(Object.fromEntries(weightsOf(slots)), variants)),
  slots,
});

/** Returns what a rule serves, with the slots that a split without slots stands for. */
export const withSlots = (serve: FileServe, variants: readonly string[]): FileServe =>
  "variant" in serve || serve.slots
    ? serve
    : splitOf(slotsOf(weightsInOrder(serve.weights, variants)), variants);

/** Returns a split as a file writes it: without slots that follow from the weights. */
export function shortSplit(serve: FileServe, variants: readonly string[]): FileServe {
  if ("variant" in serve) return serve;
  const { weights } = serve;
  return isSame(withSlots({ weights }, variants), serve) ? { weights } : serve;
}

type Weight = readonly [variant: string, percent: number];

/** Returns the weights above 0: first in the order of the variants, then those of other variants. */
function weightsInOrder(
  weights: Readonly<Record<string, number>>,
  variants: readonly string[],
): Weight[] {
  const keys = [...new Set([...variants, ...Object.keys(weights)])];
  return keys.flatMap((variant): Weight[] => {
    const weight = Object.hasOwn(weights, variant) ? (weights[variant] ?? 0) : 0;
    return weight > 0 ? [[variant, weight]] : [];
  });
}

function fits(slots: readonly StoredSlot[], weights: readonly Weight[]): boolean {
  const held = new Map(weightsOf(slots));
  return (
    held.size === weights.length &&
    weights.every(([variant, percent]) => isEqual(held.get(variant) ?? 0, percent))
  );
}

/** Whether two percentages are the same number of thousandths. */
const isEqual = (a: number, b: number): boolean => Math.round(a * 1000) === Math.round(b * 1000);
