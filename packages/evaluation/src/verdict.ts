import type { Reason, Verdict } from "./rule.ts";

// Verdicts (results of an evaluation) are made when a rule is compiled, and they are frozen. So an
// evaluation allocates none.

/** The JSON of the verdicts without a variant. These verdicts are the constants of this module. */
const plainTexts = new Map<Verdict, string>();

function verdict(enabled: boolean, reason: Reason): Verdict {
  const made = Object.freeze({ enabled, reason });
  plainTexts.set(made, JSON.stringify(made));
  return made;
}

export const FLAG_NOT_FOUND = verdict(false, "FLAG_NOT_FOUND");
export const SPLIT_ON = verdict(true, "SPLIT");
const TARGETING_MATCH = verdict(true, "TARGETING_MATCH");
const STATIC = verdict(true, "STATIC");

/** The reasons for which no rule decides, so that the flag serves its off variant. */
type OffReason =
  | "DISABLED"
  | "PREREQUISITE_FAILED"
  | "CONSTRAINT_MISMATCH"
  | "SPLIT"
  | "TARGETING_KEY_MISSING";

/** The reasons for which a rule decides. */
export type OnReason = "TARGETING_MATCH" | "STATIC" | "SPLIT";

type OffVerdicts = Readonly<Record<OffReason, Verdict>>;

/** The verdicts of one flag. */
export interface Verdicts {
  /** The verdicts when no rule decides. */
  readonly off: OffVerdicts;
  /**
   * Returns the verdict of a rule that serves a variant. Undefined when the flag does not have the
   * variant. `rule`: the id of the ordered rule; undefined for the strategy's own fields.
   */
  readonly serve: (
    variant: string,
    reason: OnReason,
    rule: string | undefined,
  ) => Verdict | undefined;
}

const offVerdicts = (make: (reason: OffReason) => Verdict): OffVerdicts => ({
  DISABLED: make("DISABLED"),
  PREREQUISITE_FAILED: make("PREREQUISITE_FAILED"),
  CONSTRAINT_MISMATCH: make("CONSTRAINT_MISMATCH"),
  SPLIT: make("SPLIT"),
  TARGETING_KEY_MISSING: make("TARGETING_KEY_MISSING"),
});

const PLAIN_ON = { TARGETING_MATCH, STATIC, SPLIT: SPLIT_ON };

/** The verdicts of all boolean flags that use neither variants nor ordered rules. */
export const PLAIN_VERDICTS: Verdicts = {
  off: offVerdicts((reason) => verdict(false, reason)),
  serve: (variant, reason) => (variant === "on" ? PLAIN_ON[reason] : undefined),
};

/**
 * Replaces the values of compiled flags by their JSON, which `verdictJson` returns. A value takes up
 * to 20 times the memory of its JSON.
 */
export class ValueTexts {
  /** The length of the JSON of all values, characters. */
  length = 0;
}

/** A variant with its value. */
interface Variant {
  readonly key: string;
  readonly value: unknown;
  /** The part of a verdict's JSON that contains the variant's key and value. */
  readonly json: string;
}

/** A verdict with a variant. All verdicts of a variant share its value and the JSON of the value. */
class ServedVerdict implements Verdict {
  readonly enabled: boolean;
  readonly reason: Reason;
  readonly variant: string;
  readonly value: unknown;
  declare readonly rule?: string;
  readonly #variantJson: string;
  /** The JSON of the verdict; undefined before it was needed. */
  #json: string | undefined;

  constructor(enabled: boolean, reason: Reason, variant: Variant, rule: string | undefined) {
    this.enabled = enabled;
    this.reason = reason;
    this.variant = variant.key;
    this.value = variant.value;
    if (rule !== undefined) this.rule = rule;
    this.#variantJson = variant.json;
    Object.freeze(this);
  }

  /** Returns the JSON of a verdict. Reuses the JSON of the variant, which compilation has made. */
  static toJson(given: Verdict): string {
    if (!(#variantJson in given)) return JSON.stringify(given);
    return (given.#json ??= given.#makeJson());
  }

  #makeJson(): string {
    const { enabled, reason, rule } = this;
    const end = rule === undefined ? "}" : `,"rule":${JSON.stringify(rule)}}`;
    return `{"enabled":${enabled},"reason":"${reason}"${this.#variantJson}${end}`;
  }

  /** See `variantJson`. */
  static variantJson(given: Verdict): string | undefined {
    return #variantJson in given ? given.#variantJson : undefined;
  }
}

/**
 * Returns the JSON of a verdict. Does not serialise the value: that happened when the rule was
 * compiled.
 */
export const verdictJson = (given: Verdict): string =>
  plainTexts.get(given) ?? ServedVerdict.toJson(given);

/**
 * Returns the part of a verdict's JSON that has the variant and its value, with a comma before it:
 * `,"variant":…,"value":…`. Empty when nothing is served, so that the client uses its own default.
 *
 * @param hasVariants whether the verdicts of the flag have variants; a boolean flag without them
 * has the variants `on` and `off`
 */
export function variantJson(given: Verdict, hasVariants: boolean): string {
  if (hasVariants) return ServedVerdict.variantJson(given) ?? "";
  return given.enabled ? ON_JSON : OFF_JSON;
}

const ON_JSON = `,"variant":"on","value":true`;
const OFF_JSON = `,"variant":"off","value":false`;

/**
 * Returns the JSON of the value that a verdict serves. Undefined when the verdict has no variant: see
 * `Verdict`.
 */
export function valueJson(given: Verdict): string | undefined {
  const text = ServedVerdict.variantJson(given);
  if (text === undefined) return undefined;
  const before = `,"variant":${JSON.stringify(given.variant)},"value":`;
  return text.slice(before.length);
}

/** The variants of every boolean flag. */
const BOOLEAN_VARIANTS: readonly (readonly [string, unknown])[] = [
  ["on", true],
  ["off", false],
];

interface ValuedFlag {
  readonly isBoolean: boolean;
  /** The values by variant key. Ignored for a boolean flag. */
  readonly variants: Readonly<Record<string, unknown>>;
  readonly offVariant: string | null;
  /**
   * The store that takes the values out of the verdicts. Undefined: the verdicts keep their values.
   */
  readonly valueTexts: ValueTexts | undefined;
}

/**
 * Makes the verdicts of a flag with variants. Serialises every value once. Returns undefined when
 * the flag does not have its off variant, or when a value is not JSON.
 */
export function valuedVerdicts(flag: ValuedFlag): Verdicts | undefined {
  const { isBoolean, offVariant, valueTexts } = flag;
  const entries = isBoolean ? BOOLEAN_VARIANTS : Object.entries(flag.variants);
  const variants = new Map<string, Variant>();
  for (const [key, value] of entries) {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return undefined;
    const json = `,"variant":${JSON.stringify(key)},"value":${text}`;
    if (valueTexts === undefined || isBoolean) variants.set(key, { key, value, json });
    else {
      valueTexts.length += text.length;
      variants.set(key, { key, value: undefined, json });
    }
  }
  const off = offVariant === null ? undefined : variants.get(offVariant);
  if (offVariant !== null && off === undefined) return undefined;
  return {
    off: offVerdicts((reason) =>
      off === undefined
        ? PLAIN_VERDICTS.off[reason]
        : new ServedVerdict(off.value === true && isBoolean, reason, off, undefined),
    ),
    serve: (key, reason, rule) => {
      const variant = variants.get(key);
      if (variant === undefined) return undefined;
      const enabled = isBoolean ? variant.value === true : key !== offVariant;
      return new ServedVerdict(enabled, reason, variant, rule);
    },
  };
}
