import type { Unleash } from "unleash-client";
import { type CompiledRule, evaluate } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import type { UnleashFeature } from "@feature-flags/unleash";
import type { Note } from "@feature-flags/unleash/note";

/** A context of Unleash. A type, because the SDK takes an object with any further fields. */
export type UserContext = {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly remoteAddress?: string;
  readonly currentTime?: Date;
  readonly properties?: Record<string, string | number>;
};

/** Returns a context of Unleash as this service reads it. */
export const flat = ({ properties, currentTime, ...rest }: UserContext): EvaluationContext => ({
  ...properties,
  ...rest,
  ...(currentTime && { currentTime: currentTime.toISOString() }),
  ...(rest.userId !== undefined && { targetingKey: rest.userId }),
});

/** What a flag shows: whether it is on, and the name and the text of the variant. */
export interface Shown {
  readonly isOn: boolean;
  readonly variant?: string | undefined;
  readonly value?: string | undefined;
}

export function shownByUnleash(unleash: Unleash, key: string, context: UserContext): Shown {
  const isOn = unleash.isEnabled(key, context);
  const { name, payload } = unleash.getVariant(key, context);
  return name === "disabled" ? { isOn } : { isOn, variant: name, value: payload?.value };
}

/** Returns the result here. A boolean flag has no variants in Unleash. */
export function shownHere({ enabled, variant, value }: Verdict): Shown {
  if (variant === undefined || typeof value === "boolean") return { isOn: enabled };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { isOn: enabled, variant, value: text };
}

/** What is compared: a flag, with what the document says of it. */
export interface Compared {
  readonly rule: ClientRule;
  readonly compiled: ReadonlyMap<string, CompiledRule>;
  /** The features of the document by name. */
  readonly features: ReadonlyMap<string, UnleashFeature>;
  /** The codes of the notes of the flag. */
  readonly codes: ReadonlySet<Note["code"]>;
}

/** The notes of flags that are exact, but for what SDKs return while the flag is off. */
const EXACT: ReadonlySet<Note["code"]> = new Set(["off-variant-default", "off-variant-served"]);

/** Whether all that the notes of a flag say is hard case 4 or 5. */
export const isExact = ({ codes }: Compared): boolean =>
  [...codes].every((code) => EXACT.has(code));

/**
 * Returns what is wrong with the result of Unleash; undefined if nothing is.
 *
 * - A flag must not be on in Unleash while it is off here. Hard case 4 is allowed: the off variant is
 *   served there, too. At a rounded border, a neighbour of the off variant may be served instead.
 * - The result of an exact flag must be the same. While it is off, Unleash serves no variant.
 */
export function difference(
  compared: Compared,
  context: UserContext,
  theirs: Shown,
): "on" | "other" | undefined {
  const { rule, compiled, codes } = compared;
  const ours = shownHere(evaluate(compiled, rule.key, flat(context)));
  const servesOff = codes.has("off-variant-served");
  if (theirs.isOn && !ours.isOn) {
    const isRounded = codes.has("decimals") || codes.has("split-borders");
    const isSame = theirs.variant === ours.variant && theirs.value === ours.value;
    return servesOff && (isSame || isRounded) ? undefined : "on";
  }
  if (!isExact(compared)) return undefined;
  if (theirs.isOn !== ours.isOn) return "other";
  const isSame = theirs.variant === ours.variant && theirs.value === ours.value;
  return isSame || !ours.isOn ? undefined : "other";
}
