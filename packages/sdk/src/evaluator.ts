import { evaluateRule, newBatch } from "@feature-flags/evaluation/decide";
import type { EvaluationContext, Reason, Verdict } from "@feature-flags/evaluation/rule";
import type { Flag, RuleStore, ValueType } from "./rule-store.ts";
import type { Usage } from "./usage.ts";

/** A JSON value, as a flag of the type `json` has it. Values of flags are frozen. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Why a check returned the default. */
export type ErrorCode =
  /** The client has no rules yet. */
  | "NOT_READY"
  /** There is no such flag, or it is archived. */
  | "FLAG_NOT_FOUND"
  /** The flag has values of another type. */
  | "TYPE_MISMATCH"
  /** The flag needs an id, which the context does not have. */
  | "TARGETING_KEY_MISSING";

/** The result of a check. */
export interface Details<T> {
  /** The value of the flag, or the default. */
  readonly value: T;
  /** The key of the served variant; undefined when the value is the default. */
  readonly variant?: string;
  /**
   * Why the flag has this value. `ERROR`: `errorCode` says why the value is the default.
   * `OVERRIDE`: an override set the value.
   */
  readonly reason:
    | Exclude<Reason, "FLAG_NOT_FOUND" | "TARGETING_KEY_MISSING">
    | "ERROR"
    | "OVERRIDE";
  /** Why the value is the default; undefined when the flag has a value. */
  readonly errorCode?: ErrorCode;
  /** The meaning of `errorCode` as a sentence. */
  readonly errorMessage?: string;
  /** The id of the ordered rule that decided. */
  readonly rule?: string;
  /** The revision of the rules; undefined: there are none. */
  readonly revision?: number;
}

/** The result of one flag among those of all flags. */
export interface FlagResult {
  /** Whether the flag is on. */
  readonly enabled: boolean;
  /** Why the flag is on or off. */
  readonly reason: Reason | "OVERRIDE";
  /** The key of the served variant. */
  readonly variant?: string;
  /** Undefined when the flag serves no variant: use the default in the code. */
  readonly value?: JsonValue;
  /** The id of the ordered rule that decided. */
  readonly rule?: string;
}

/** Which flags `all` evaluates. */
export interface AllOptions {
  /** `browser`: leaves out the flags that browsers do not get, so that a page can have the result. */
  readonly for?: "browser" | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns the flag type whose values have the same JSON type as this value. */
export const typeOf = (value: unknown): ValueType => {
  const type = typeof value;
  return type === "boolean" || type === "string" || type === "number" ? type : "json";
};

const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  NOT_READY: "The client has no rules yet: wait for ready()",
  FLAG_NOT_FOUND: "There is no such flag in the environment",
  TYPE_MISMATCH: "The flag has values of another type",
  TARGETING_KEY_MISSING:
    "The context does not have the id by which the flag is rolled out or split",
};

const TYPES: ReadonlySet<unknown> = new Set<ValueType>(["boolean", "string", "number", "json"]);
const UNKNOWN_TYPE = `The type of a flag must be one of ${[...TYPES].join(", ")}`;

/** A value without rules: of an override, or of a flag of an offline client. */
interface Given {
  readonly value: JsonValue;
  readonly reason: "OVERRIDE" | "STATIC";
}

/** Evaluates flags by the rules of a store. Never throws. */
export class Evaluator {
  readonly #store: RuleStore;
  readonly #usage: Usage;
  /** The flags of an offline client with their values. */
  readonly #offline: ReadonlyMap<string, JsonValue>;
  /** The values that overrides give to flags. */
  readonly #overrides = new Map<string, JsonValue>();

  constructor(store: RuleStore, usage: Usage, offline: Iterable<[string, JsonValue]> = []) {
    this.#store = store;
    this.#usage = usage;
    this.#offline = new Map(offline);
  }

  /** Throws: a TypeError for a wrong key or value. */
  override(key: string, value: JsonValue): void {
    if (typeof key !== "string") throw new TypeError("The key of an override must be a text");
    if (JSON.stringify(value) === undefined)
      throw new TypeError(
        `The value that overrides ${key} must be a boolean, text, number or JSON`,
      );
    this.#overrides.set(key, value);
  }

  /** Removes all overrides. Returns the keys of their flags. */
  clearOverrides(): string[] {
    const keys = [...this.#overrides.keys()];
    this.#overrides.clear();
    return keys;
  }

  /** Returns the value of a flag, or the default. Counts the check. */
  value<T>(type: ValueType, key: string, fallback: T, context: EvaluationContext): T {
    const flag = this.#store.flags.get(key);
    if (flag === undefined || this.#overrides.size > 0)
      return this.details(type, key, fallback, context).value;
    const verdict = evaluateRule(flag.rule, context);
    count(flag, verdict);
    if (verdict.reason === "TARGETING_KEY_MISSING") return fallback;
    const value = valueOf(flag, verdict);
    return fits(type, flag, value) ? (value as T) : fallback;
  }

  /** Returns the value of a flag with its reason, variant or error. Counts the check. */
  details<T>(type: ValueType, key: string, fallback: T, context: EvaluationContext): Details<T> {
    if (!TYPES.has(type))
      return { ...this.#failed("TYPE_MISMATCH", fallback), errorMessage: UNKNOWN_TYPE };
    const given = this.#given(key);
    if (given !== undefined) return this.#givenDetails(type, given, fallback);
    const flag = this.#store.flags.get(key);
    if (flag === undefined) {
      if (this.#store.version === undefined) return this.#failed("NOT_READY", fallback);
      this.#usage.countUnknown(key);
      return this.#failed("FLAG_NOT_FOUND", fallback);
    }
    const verdict = evaluateRule(flag.rule, context);
    count(flag, verdict);
    const { reason, rule } = verdict;
    if (reason === "TARGETING_KEY_MISSING" || reason === "FLAG_NOT_FOUND")
      return this.#failed(reason, fallback);
    const value = valueOf(flag, verdict);
    const isServed = value !== undefined;
    if (isServed && !fits(type, flag, value)) return this.#failed("TYPE_MISMATCH", fallback);
    const variant = variantOf(flag, verdict);
    const details: Writable<Details<T>> = { value: isServed ? (value as T) : fallback, reason };
    if (variant !== undefined) details.variant = variant;
    if (rule !== undefined) details.rule = rule;
    return this.#withRevision(details);
  }

  /** Evaluates all flags, or those that browsers get. Counts no checks. */
  all(context: EvaluationContext, options?: AllOptions): Record<string, FlagResult> {
    // A program without types may pass another text, and then browsers must not get the flags either.
    const isForBrowser = options?.for !== undefined;
    const batch = newBatch();
    // Starts without a prototype, because V8 then makes a hash table at once, which takes a third of
    // the time of `fromEntries`. Without a prototype, the key `__proto__` is a plain field, too.
    const results = Object.create(null) as Record<string, FlagResult>;
    for (const [key, flag] of this.#store.flags)
      if (!isForBrowser || !flag.isHidden)
        results[key] = resultOf(flag, evaluateRule(flag.rule, context, batch));
    for (const key of [...this.#offline.keys(), ...this.#overrides.keys()]) {
      if (isForBrowser && this.#store.flags.get(key)?.isHidden === true) continue;
      const given = this.#given(key);
      if (given === undefined) continue;
      const { value, reason } = given;
      results[key] = { enabled: value !== false, reason, value };
    }
    return Object.setPrototypeOf(results, Object.prototype) as Record<string, FlagResult>;
  }

  #withRevision<T>(details: Writable<Details<T>>): Details<T> {
    const revision = this.#store.version?.revision;
    if (revision !== undefined) details.revision = revision;
    return details;
  }

  /**
   * Returns the value that a flag has by an override or in an offline client; undefined: it has
   * none.
   */
  #given(key: string): Given | undefined {
    const value = this.#overrides.get(key);
    if (value !== undefined) return { value, reason: "OVERRIDE" };
    const offline = this.#offline.get(key);
    return offline === undefined ? undefined : { value: offline, reason: "STATIC" };
  }

  #givenDetails<T>(type: ValueType, { value, reason }: Given, fallback: T): Details<T> {
    const isFit = type === "json" || typeof value === type;
    if (!isFit) return this.#failed("TYPE_MISMATCH", fallback);
    return this.#withRevision({ value: value as T, reason });
  }

  #failed<T>(errorCode: ErrorCode, value: T): Details<T> {
    const errorMessage = MESSAGES[errorCode];
    return this.#withRevision({ value, reason: "ERROR", errorCode, errorMessage });
  }
}

/** Returns the value that a verdict serves; undefined: it serves none. */
const valueOf = (flag: Flag, verdict: Verdict): unknown =>
  flag.hasVariants ? verdict.value : verdict.enabled;

function variantOf(flag: Flag, verdict: Verdict): string | undefined {
  if (flag.hasVariants) return verdict.variant;
  return verdict.enabled ? "on" : "off";
}

/** Whether a flag can have values of a type. A value of a JSON flag may also be a text or a number. */
const fits = (type: ValueType, flag: Flag, value: unknown): boolean =>
  type === "json" ? value !== undefined && flag.type === "json" : typeof value === type;

function resultOf(flag: Flag, verdict: Verdict): FlagResult {
  const { enabled, reason, rule } = verdict;
  const variant = variantOf(flag, verdict);
  const value = valueOf(flag, verdict) as JsonValue | undefined;
  const result: Writable<FlagResult> =
    variant === undefined || value === undefined
      ? { enabled, reason }
      : { enabled, reason, variant, value };
  if (rule !== undefined) result.rule = rule;
  return result;
}

const count = ({ counter, hasVariants }: Flag, { enabled, variant }: Verdict): void =>
  counter.add(enabled, hasVariants ? variant : undefined);
