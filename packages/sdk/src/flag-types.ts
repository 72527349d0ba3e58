import type { JsonValue } from "./evaluator.ts";
import type { ValueType } from "./rule-store.ts";

/**
 * The facts about the user, by field name. Undefined and null count as missing. The service compares
 * dates as texts of ISO 8601, so pass `date.toISOString()`.
 */
export type EvaluationContext = Readonly<
  Record<string, string | number | boolean | null | undefined>
>;

/** The type argument of a client that accepts every key: `FlagClient<AnyFlags>`. */
export type AnyFlags = Readonly<Record<string, unknown>>;

/** The type of a flag by the TypeScript type of its values. */
type TypeOf<V> = [V] extends [boolean]
  ? "boolean"
  : [V] extends [string]
    ? "string"
    : [V] extends [number]
      ? "number"
      : "json";

/**
 * The keys that a check accepts: those of the flags with values of the type `T`. Every text for a
 * client without the type of its flags.
 */
export type FlagKey<
  Flags extends object,
  T extends ValueType = ValueType,
> = string extends keyof Flags
  ? string
  : { [K in keyof Flags & string]: TypeOf<Flags[K]> extends T ? K : never }[keyof Flags & string];

/**
 * The type of a flag's value, with readonly fields, because values are frozen. `T` for a client
 * without the type of its flags.
 */
export type FlagValue<Flags extends object, K, T> = string extends keyof Flags
  ? T
  : K extends keyof Flags
    ? DeepReadonly<Flags[K]>
    : never;

/** The values that an offline client gives to flags. A flag that is left out does not exist. */
export type OfflineFlags<Flags extends object> = string extends keyof Flags
  ? Readonly<Record<string, JsonValue>>
  : { readonly [K in keyof Flags]?: DeepReadonly<Flags[K]> };

/** A type with readonly fields and readonly arrays, also inside. */
export type DeepReadonly<T> = [JsonValue] extends [T]
  ? T
  : { readonly [K in keyof T]: DeepReadonly<T[K]> };
