export const VALUE_TYPES = ["boolean", "string", "number", "json"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/**
 * Which clients get a flag. `all`: servers and browsers. `server`: only clients with a `SERVER` key
 * or a service binding; for a `FRONTEND` key the flag does not exist.
 */
export const FLAG_CLIENTS = ["all", "server"] as const;
export type FlagClients = (typeof FLAG_CLIENTS)[number];

/** The most variants of a flag, and the form of their keys (docs/use/api.md, Limits). */
export const MAX_VARIANTS = 50;
export const VARIANT_KEY = /^[A-Za-z0-9._-]{1,64}$/;

/** A variant of a flag: one of the values that the flag can have. */
export interface Variant {
  /** Identifies the variant within its flag. */
  readonly key: string;
  /** A JSON value of the flag's type. */
  readonly value: unknown;
  readonly description?: string | undefined;
}

/** A JSON Schema (2020-12) for the values of a flag. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** The fields that say which values a flag has. */
export interface FlagValues {
  readonly valueType: ValueType;
  readonly variants: readonly Variant[];
  /**
   * The key of the variant that is served when the flag is off or no rule decides. Null: none, so
   * clients use their own default.
   */
  readonly offVariant: string | null;
  /** The schema that the value of every variant must match. Null: any value of the type is allowed. */
  readonly valueSchema: ValueSchema | null;
}

/** The variants that every boolean flag has. They cannot be changed. */
export const BOOLEAN_VARIANTS: readonly Variant[] = [
  { key: "on", value: true },
  { key: "off", value: false },
];

/** Returns the off variant of a new flag whose request names none. */
export const defaultOffVariant = (valueType: ValueType): string | null =>
  valueType === "boolean" ? "off" : null;
