import type { FileActivation } from "@feature-flags/file/file";
import { type Changes, Refusal } from "../report.ts";
import { fieldOf } from "./clauses.ts";
import type { LdRollout, LdServed } from "./document.ts";
import type { Variants } from "./variations.ts";

/** The weight of all users, in thousandths of a per cent. */
const ALL = 100_000;

interface Place {
  readonly variants: Variants;
  readonly changes: Changes;
  /** The key of the variant that users get whom no rule includes; null: none. */
  readonly offVariant: string | null;
}

/**
 * Returns what a rule serves. Throws: Refusal for a variation that does not exist.
 *
 * @param isLast whether no other rule follows, so that a percentage may leave users to the off variant
 */
export function servedBy(
  { variation, rollout }: LdServed,
  { variants, changes, offVariant }: Place,
  isLast: boolean,
): FileActivation {
  if (typeof variation === "number") return { serve: { variant: keyAt(variation, variants) } };
  if (!rollout?.variations?.length) throw new Refusal("malformed");
  const shares = sharesOf(rollout, variants);
  const [[only = ""] = [], ...others] = shares;
  if (others.length === 0) return { serve: { variant: only } };
  changes.add("usersMove");
  const stickiness = stickinessOf(rollout, changes);
  const on = shares.get("on");
  if (isLast && variants.isBoolean && on !== undefined && offVariant === "off")
    return { percentage: on, ...stickiness };
  const order = [...new Set(variants.keys)];
  const weights = order.flatMap((key) => {
    const share = shares.get(key);
    return share === undefined ? [] : [[key, share] as const];
  });
  return { serve: { weights: Object.fromEntries(weights) }, ...stickiness };
}

/** Returns the key of the variant for the index of a variation. Throws: Refusal if it does not exist. */
export function keyAt(variation: number, { keys }: Variants): string {
  const key = keys[variation];
  if (key === undefined) throw new Refusal("malformed");
  return key;
}

/** Returns the per cents of the variants that have some. What is missing belongs to the last one. */
function sharesOf({ variations }: LdRollout, variants: Variants): Map<string, number> {
  const sizes = new Map<string, number>();
  let left = ALL;
  for (const [n, { variation, weight }] of variations.entries()) {
    const size = n === variations.length - 1 ? left : Math.min(weight, left);
    left -= size;
    const key = keyAt(variation, variants);
    if (size > 0) sizes.set(key, (sizes.get(key) ?? 0) + size);
  }
  return new Map(Array.from(sizes, ([key, size]) => [key, (size * 100) / ALL] as const));
}

/** The key of a user needs no stickiness: it is the first field that the service takes. */
function stickinessOf({ bucketBy = "key", contextKind }: LdRollout, changes: Changes) {
  const field = fieldOf(bucketBy === "" ? "key" : bucketBy, contextKind, changes);
  return field === "targetingKey" ? {} : { stickiness: field };
}
