import { maxSlots, type Slot, slotsOf, toSlots } from "@feature-flags/evaluation/slots";
import type { FileServe } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { type Changes, Refusal } from "../report.ts";
import { noteAddedField } from "./constraints.ts";
import type { UnleashVariant } from "./document.ts";
import { hashKeyOf, type RollOut } from "./roll-out.ts";

/** The variants among which Unleash chooses, and what it hashes for that. */
export interface VariantChoice {
  readonly variants: readonly UnleashVariant[];
  readonly groupId: string;
  readonly stickiness: string | undefined;
}

/** The fields of a rule that say which variant it serves. */
export interface Served {
  readonly serve: FileServe;
  readonly splitKey?: string;
  readonly splitStickiness?: string;
}

/** The rule that serves the variants. */
interface Rule {
  readonly rollOut: RollOut;
  readonly flagKey: string;
  /** The keys of the variants of the flag. */
  readonly order: readonly string[];
}

/** The number of buckets of a split, and of positions in a bucket (docs/use/api.md, Roll-out). */
const BUCKETS = 1000;
const POSITIONS_PER_BUCKET = 100;

export const totalWeight = (variants: readonly UnleashVariant[]): number =>
  variants.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Returns what a rule serves. Throws: Refusal for weights
 * that cannot be kept, and for variants that Unleash draws at random.
 */
export function servedBy(
  { variants, groupId, stickiness = "default" }: VariantChoice,
  { rollOut, flagKey, order }: Rule,
  changes: Changes,
): Served {
  const [only, ...others] = variants.filter(({ weight }) => weight > 0);
  if (only && others.length === 0) return { serve: { variant: only.name } };
  if (stickiness === "random") throw new Refusal("randomVariants");
  const serve = splitOf(variants, order);
  const splitKey = hashKeyOf(groupId, flagKey, changes);
  const field = splitField(stickiness, rollOut, changes);
  return {
    serve,
    ...(splitKey !== undefined && { splitKey }),
    ...(field !== undefined && { splitStickiness: field }),
  };
}

/** Returns the field that a split hashes; undefined if it is the field of the roll-out. */
function splitField(stickiness: string, rollOut: RollOut, changes: Changes): string | undefined {
  if (stickiness !== "default") {
    noteAddedField(stickiness, changes);
    return stickiness === rollOut.stickiness ? undefined : stickiness;
  }
  if (rollOut.stickiness === undefined) return undefined;
  changes.add("splitField");
  return "userId";
}

/**
 * Returns the split with the positions of Unleash. A total weight that divides 1,000 repeats its slots,
 * because `hash mod total` is `(hash mod 1000) mod total`.
 */
function splitOf(variants: readonly UnleashVariant[], order: readonly string[]): FileServe {
  const total = totalWeight(variants);
  if (BUCKETS % total !== 0) throw new Refusal("splitWeights", { total });
  const width = POSITIONS_PER_BUCKET;
  const repeated: Slot[] = [];
  for (let start = 0; start < BUCKETS;)
    for (const { name, weight } of variants) {
      if (weight > 0) repeated.push([start * width, (start + weight) * width, name]);
      start += weight;
    }
  const slots = toSlots(repeated);
  const sizes = new Map<string, number>();
  for (const { name, weight } of variants)
    if (weight > 0) sizes.set(name, (sizes.get(name) ?? 0) + weight);
  if (slots.length > maxSlots(sizes.size)) throw new Refusal("splitSlots", { count: slots.length });
  const weights = order.flatMap((key) => {
    const weight = sizes.get(key);
    return weight === undefined ? [] : [[key, (weight * 100) / total] as const];
  });
  const usual = toSlots(slotsOf(weights));
  return { weights: Object.fromEntries(weights), ...(!isSame(usual, slots) && { slots }) };
}
