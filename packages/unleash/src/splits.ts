import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Slot } from "@feature-flags/evaluation/slots";
import type { Form, UnleashVariant } from "./feature.ts";
import { fieldName } from "./fields.ts";
import { type Rule, valuesOf } from "./rules.ts";

/** The positions of a slot that are one unit of weight. All weights of a split add up to 1,000. */
const POSITIONS_PER_WEIGHT = 100;

/** Whether a split has borders that weights cannot have, so that a few users get another variant. */
export const isRounded = (slots: readonly Slot[]): boolean =>
  slots.some(([start]) => start % POSITIONS_PER_WEIGHT !== 0);

/** The variants of a flag as SDKs of Unleash need them. */
export class Variants {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #payloads = new Map<string, UnleashVariant["payload"]>();

  constructor(flag: ClientRule) {
    this.#values = valuesOf(flag);
  }

  #payloadOf(variant: string): UnleashVariant["payload"] {
    let payload = this.#payloads.get(variant);
    if (!payload) {
      const value = this.#values[variant];
      const type = typeof value === "string" || typeof value === "number" ? typeof value : "json";
      payload = {
        type: type === "string" || type === "number" ? type : "json",
        value: typeof value === "string" ? value : JSON.stringify(value),
      };
      this.#payloads.set(variant, payload);
    }
    return payload;
  }

  /** Returns the variants of a split, in the order of its slots. A variant may occur several times. */
  ofSlots(slots: readonly Slot[], stickiness: string): readonly UnleashVariant[] {
    const variants: UnleashVariant[] = [];
    let start = 0;
    for (const [, position, name] of slots) {
      const end = Math.round(position / POSITIONS_PER_WEIGHT);
      if (end > start)
        variants.push({ name, weight: end - start, stickiness, payload: this.#payloadOf(name) });
      start = end;
    }
    return variants;
  }
}

/** Whether a split hashes what the roll-out of its rule hashes, so that one strategy can do both. */
export const hashesLikeRollOut = (rule: Rule): boolean =>
  rule.percentage === 100 ||
  (rule.splitKey === rule.hashKey &&
    fieldName(rule.splitStickiness ?? "") === fieldName(rule.stickiness ?? ""));

/**
 * Returns the rule whose split the feature has as its own variants; undefined if there is none. All
 * splits of the flag must then be equal, and hash the flag key.
 *
 * In form `a`, the feature has them only if a rule needs them. In form `b`, the feature has them
 * whenever all rules have that split, because the SDKs do not know the variants of strategies.
 */
export function sharedSplit(rules: readonly Rule[], key: string, form: Form): Rule | undefined {
  const splits = rules.filter(({ slots }) => slots.length > 1);
  const [first] = splits;
  if (!first) return undefined;
  const isEqual = (one: Rule): boolean =>
    one.splitKey === key &&
    one.splitStickiness === first.splitStickiness &&
    JSON.stringify(one.slots) === JSON.stringify(first.slots);
  if (!splits.every(isEqual)) return undefined;
  const isNeeded = form === "a" ? !splits.every(hashesLikeRollOut) : splits.length === rules.length;
  return isNeeded ? first : undefined;
}
