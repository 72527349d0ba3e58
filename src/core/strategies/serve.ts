import type { Serve } from "@feature-flags/evaluation/rule";
import {
  reweight,
  slotsOf,
  type StoredSlot,
  type Weights,
  weightsOf,
} from "@feature-flags/evaluation/slots";

/**
 * What a rule serves, as a request says it: one variant, or the percentage of each variant of a
 * weighted split. A variant that is left out has 0 %. A file can say the slots of a split instead.
 */
export type ServeInput =
  | { readonly variant: string }
  | { readonly weights: Readonly<Record<string, number>> }
  | { readonly slots: readonly StoredSlot[] };

/** What a rule serves, as the API and the audit trail show it. */
export type ServeView =
  | { readonly variant: string }
  | {
      /** The percentages of the variants with more than 0 %. */
      readonly weights: Readonly<Record<string, number>>;
      readonly slots: readonly SlotView[];
    };

/**
 * The positions between two borders that get the variant. `from` is the border at which the
 * variant's range began to grow, so `from` can be the higher border.
 */
interface SlotView {
  readonly from: number;
  readonly to: number;
  readonly variant: string;
}

/** Returns the weights that are above 0, in the order of the flag's variants. */
const orderedWeights = (
  weights: ReadonlyMap<string, number>,
  variants: readonly string[],
): Weights =>
  variants.flatMap((variant): Weights => {
    const weight = weights.get(variant) ?? 0;
    return weight > 0 ? [[variant, weight]] : [];
  });

/**
 * Returns what a rule serves as the API shows it. `variants`: the keys of the flag's variants, in
 * order. A rule that serves nothing yet (null) shows the first variant.
 */
export function serveView(serve: Serve | null, variants: readonly string[]): ServeView {
  if (serve === null) return { variant: variants[0] ?? "" };
  if ("variant" in serve) return serve;
  const { slots } = serve;
  const weights = orderedWeights(new Map(weightsOf(slots)), variants);
  return {
    weights: Object.fromEntries(weights),
    slots: slots.map(([from, to, variant]) => ({ from, to, variant })),
  };
}

/**
 * Returns what a rule serves as it is stored. New weights of a split change its slots for as few
 * users as possible. Slots without weights are stored as they are. `before`: what the rule serves now;
 * null for a new rule.
 * Throws: RangeError if the weights do not add up to 100.
 */
export function storedServe(
  input: ServeInput,
  before: Serve | null,
  variants: readonly string[],
): Serve {
  // A view of a split has weights and slots, and its slots have another form: only its weights count.
  if (!("weights" in input)) return input;
  const weights = orderedWeights(new Map(Object.entries(input.weights)), variants);
  const hasSplit = before !== null && "slots" in before;
  return { slots: hasSplit ? reweight(before.slots, weights) : slotsOf(weights) };
}
