/**
 * Why SDKs of Unleash do not do exactly what this service does.
 *
 * - `approximate`: the rule is served, and some users get another result.
 * - `partial`: the rule and all rules after it are left out.
 * - `unserved`: SDKs of Unleash have the flag off for everybody.
 */
export type Level = "approximate" | "partial" | "unserved";

/** What SDKs of Unleash do not do exactly. */
export interface Note {
  readonly flagKey: string;
  /**
   * The index of the rule. The strategy's own fields are the last rule, so their index is the number of
   * ordered rules. Null: the note concerns the whole flag.
   */
  readonly rule: number | null;
  readonly level: Level;
  readonly code: Code;
  /** What the code speaks of: a percentage, a context field, an operator, or the key of another flag. */
  readonly detail?: string;
}

/** The reasons (docs/use/unleash-mapping.md). */
export type Code =
  // approximate
  /** The percentage has decimals. `detail`: the percentage that is sent. */
  | "decimals"
  /** The borders of the split are not multiples of 0.1 %. */
  | "split-borders"
  /** The rule serves the off variant: `isEnabled` is true. */
  | "off-variant-served"
  /** While the flag is off, the code gets its own default, and not the off variant. */
  | "off-variant-default"
  /** Fewer users have a required flag on, or nobody has. `detail`: its key. */
  | "prerequisite"
  // partial or unserved
  /** The rule splits a boolean flag. */
  | "boolean-split"
  /** The rule turns a boolean flag off for a percentage, after a rule that turns it on. */
  | "partial-off"
  /**
   * The rule turns a boolean flag off by a condition that cannot be inverted. Or the rule before it serves
   * the off variant by a condition that some SDKs do not know, so that they would go on with this rule.
   */
  | "off-condition"
  /** SDKs of Unleash do not read this context field as it is. `detail`: the field. */
  | "field"
  /** The constraint compares a date with another field than `currentTime`. `detail`: the field. */
  | "date-field"
  /** SDKs of Unleash have no such operator. `detail`: the operator. */
  | "operator"
  /** A value is empty, or begins or ends with white space. `detail`: the field. */
  | "white-space"
  /** The operator `in` ignores case. `detail`: the field. */
  | "case"
  /** A value of the constraint has another meaning there. `detail`: the value. */
  | "value"
  /** The roll-out or split hashes a field that SDKs of Unleash read differently. `detail`: the field. */
  | "stickiness"
  /** The key of the hash has characters that SDKs of Unleash hash differently. `detail`: the key. */
  | "hash-key"
  /** The split hashes another key or field than the roll-out. */
  | "split-hash"
  /** The rule needs too many strategies. */
  | "strategies"
  /** The rule is malformed, so the flag is off from there on. */
  | "malformed"
  // unserved
  /** The off variant of a boolean flag with prerequisites is on. */
  | "off-variant-on"
  /** The required flag must be off, and is not exact. `detail`: its key. */
  | "prerequisite-off"
  /** The required flag must serve certain variants, and its choice is not the same in all SDKs. `detail`: its key. */
  | "prerequisite-variants"
  /** The flag requires too many flags, directly or through others. */
  | "prerequisite-depth"
  /** The SDK is too old for prerequisites. */
  | "old-sdk"
  /** The flag is too large. `detail`: its size in bytes, or where the count has stopped. */
  | "size";
