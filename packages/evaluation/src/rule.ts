import { type Slot, type StoredSlot, toSlots } from "./slots.ts";

/**
 * The rules of flags as `GET /api/client/features` returns them and SDKs evaluate them. All types
 * are plain JSON.
 */

/**
 * A condition on one context field. `exists` and `notExists` ignore `values`. Every other positive
 * operator holds when any of `values` matches.
 */
export interface Constraint {
  /** The name of the context field. */
  readonly field: string;
  /** One of `operatorsOf(contextType)`, such as `in`, `startsWith` or `notExists`. */
  readonly operator: string;
  readonly values: readonly string[];
  /**
   * The type of the context field, which decides how values are parsed and compared: string,
   * number, boolean, date, semver or ip.
   */
  readonly contextType: string;
  /** Whether to ignore the case of letters; for `string` only. Default: false. */
  readonly caseInsensitive?: boolean;
  /** Whether to negate the result of the constraint, as the last step. Default: false. */
  readonly inverted?: boolean;
}

/**
 * A named set of constraints, all of which must hold. A segment without constraints never holds.
 */
export interface RuleSegment {
  readonly name: string;
  readonly constraints: readonly Constraint[];
}

/**
 * Whom a rule applies to, and what it serves. The fields after `stickiness` are left out while they
 * have their defaults, so that a boolean flag keeps its JSON.
 */
export interface Activation {
  /**
   * The percentage of targeting keys that get the flag, 0 to 100; whole per cents only. 0 if the
   * last rule serves the variant with which the flag is not enabled, because an SDK that knows no
   * variants would have the flag on. `exactRollOut` then has the percentage.
   */
  readonly rollOut: number;
  /** The constraints, all of which must hold. */
  readonly constraints: readonly Constraint[];
  /** The segments, all of which must hold. */
  readonly segments: readonly RuleSegment[];
  /**
   * The context field that the roll-out hashes. Default: the first of `DEFAULT_STICKINESS` that
   * the context has.
   */
  readonly stickiness?: string;
  /** The percentage with up to three decimals. Replaces `rollOut`, which is the default. */
  readonly exactRollOut?: number;
  /** Replaces the flag key in the hash of the roll-out. */
  readonly hashKey?: string;
  /** The key of the variant to serve. Default for a boolean flag: `on`. */
  readonly serve?: string;
  /** Replaces `serve`: a weighted split. The slots are sorted and cover every position once. */
  readonly slots?: readonly Slot[];
  /** Replaces the flag key in the hash of the split. */
  readonly splitKey?: string;
  /** The context field that the split hashes. Default: the same field as the roll-out. */
  readonly splitStickiness?: string;
}

/** A rule that is tried before the strategy's own fields. */
export interface OrderedRule extends Activation {
  /** Identifies the rule within its flag and environment, even after the rules are reordered. */
  readonly id: string;
}

/**
 * A prerequisite: a condition on the verdict of a required flag, for the same context in the same
 * environment.
 */
export interface Prerequisite {
  readonly flagKey: string;
  /** The value that `enabled` must have in the verdict of the required flag. Default: true. */
  readonly enabled?: boolean;
  /** The variants of which the required flag must serve one. Default: any variant. */
  readonly variants?: readonly string[];
}

/**
 * The rule of one flag in one environment. The fields after `activation` are left out while they
 * have their defaults.
 */
export interface ClientRule {
  readonly key: string;
  readonly name: string;
  /** When false, the flag is off for everybody. */
  readonly enabled: boolean;
  /** Present in delta responses only: true when the flag was archived or deleted. */
  readonly archived?: true;
  /** The last rule. */
  readonly activation: Activation;
  /** The type of the flag's values: string, number or json. Default: boolean. */
  readonly type?: string;
  /** The values by variant key. A boolean flag has the variants `on` (true) and `off` (false). */
  readonly variants?: Readonly<Record<string, unknown>>;
  /**
   * The key of the variant to serve when the flag is off or no rule decides. Null: the flag has no
   * off variant, and the client uses its own default. Default: `off` for a boolean flag, null for
   * others.
   */
  readonly offVariant?: string | null;
  /** The rules that are tried in order before `activation`. Default: none. */
  readonly rules?: readonly OrderedRule[];
  /** The prerequisites, all of which must hold. Default: none. */
  readonly prerequisites?: readonly Prerequisite[];
  /** Which clients get the flag: `server` hides it from browsers. Default: all clients. */
  readonly clients?: "server";
}

/** The fields of a flag that become part of its rule. */
export interface RuleFlag {
  readonly key: string;
  readonly name: string;
  readonly valueType?: string | undefined;
  readonly variants?: readonly { readonly key: string; readonly value: unknown }[] | undefined;
  readonly offVariant?: string | null | undefined;
  readonly prerequisites?: readonly Prerequisite[] | undefined;
  readonly clients?: "all" | "server" | undefined;
}

/** What a rule of a strategy serves: one variant, or a weighted split. */
export type Serve = { readonly variant: string } | { readonly slots: readonly StoredSlot[] };

/** The fields of a strategy, or of one of its ordered rules, that become an `Activation`. */
interface StrategyActivation {
  /** The percentage of targeting keys that get the flag, 0 to 100, with up to three decimals. */
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness?: string | null | undefined;
  readonly hashKey?: string | null | undefined;
  readonly serve?: Serve | null | undefined;
  readonly splitKey?: string | null | undefined;
  readonly splitStickiness?: string | null | undefined;
}

/** The fields of a strategy that become part of the rule. */
export interface RuleStrategy extends StrategyActivation {
  readonly enabled: boolean;
  readonly rules?: readonly (StrategyActivation & { readonly id: string })[] | undefined;
}

type Segments = ReadonlyMap<number, RuleSegment>;

/** What all rules of a flag share. */
interface FlagParts {
  readonly key: string;
  readonly isBoolean: boolean;
  /** What a rule without `serve` serves: the first variant. Undefined for a boolean flag. */
  readonly defaultServe: Serve | undefined;
  /** The variant with which the flag is not enabled; null if there is none. */
  readonly notEnabled: string | null;
}

/**
 * Makes the rule of a flag as SDKs receive it. `segments`: the project's segments by id. The order
 * of the rule's fields must not change, because the ETag of the response is a hash of the JSON
 * text. Fields with their default are left out.
 */
export function toClientRule(
  flag: RuleFlag,
  strategy: RuleStrategy,
  segments: Segments,
): ClientRule {
  const { key, name, variants = [], prerequisites = [] } = flag;
  const isBoolean = flag.valueType === undefined || flag.valueType === "boolean";
  const [first] = isBoolean ? [] : variants;
  const defaultOff = isBoolean ? "off" : null;
  const { offVariant = defaultOff } = flag;
  const parts = {
    key,
    isBoolean,
    defaultServe: first && { variant: first.key },
    notEnabled: isBoolean ? "off" : offVariant,
  };
  const rules = strategy.rules ?? [];
  return {
    key,
    name,
    enabled: strategy.enabled,
    activation: toActivation(strategy, parts, segments, lastRollOut(strategy, parts)),
    ...(!isBoolean && { type: flag.valueType }),
    // Uses `fromEntries`, which stores the key `__proto__` as a plain field, too.
    ...(!isBoolean && {
      variants: Object.fromEntries(variants.map((variant) => [variant.key, variant.value])),
    }),
    ...(offVariant !== defaultOff && { offVariant }),
    ...(rules.length > 0 && {
      rules: rules.map((rule) =>
        Object.assign({ id: rule.id }, toActivation(rule, parts, segments)),
      ),
    }),
    ...(prerequisites.length > 0 && { prerequisites: prerequisites.map(toPrerequisite) }),
    ...(flag.clients === "server" && { clients: flag.clients }),
  };
}

/**
 * Returns the `rollOut` of the last rule. An SDK that knows no variants has the flag on for everybody
 * in this roll-out. So the roll-out is 0 if the rule serves only the variant with which the flag is
 * not enabled.
 */
function lastRollOut(
  { percentage, serve }: StrategyActivation,
  { defaultServe, notEnabled }: FlagParts,
): number {
  const served = serve ?? defaultServe;
  const whole = Math.floor(percentage);
  if (served === undefined) return whole;
  const variants =
    "variant" in served ? [served.variant] : served.slots.map(([, , variant]) => variant);
  return variants.every((variant) => variant === notEnabled) ? 0 : whole;
}

function toActivation(
  strategy: StrategyActivation,
  flag: FlagParts,
  segments: Segments,
  rollOut = Math.floor(strategy.percentage),
): Activation {
  const { percentage, constraints } = strategy;
  const serve = strategy.serve ?? flag.defaultServe;
  const stickiness = strategy.stickiness ?? undefined;
  const hashKey = strategy.hashKey ?? flag.key;
  return {
    rollOut,
    constraints,
    // Turns a missing segment into a segment without constraints, which never holds.
    segments: strategy.segmentIds.map((id) => segments.get(id) ?? { name: "", constraints: [] }),
    ...(stickiness !== undefined && { stickiness }),
    ...(percentage !== rollOut && { exactRollOut: percentage }),
    ...(hashKey !== flag.key && { hashKey }),
    ...(serve && "variant" in serve && !(flag.isBoolean && serve.variant === "on")
      ? { serve: serve.variant }
      : {}),
    ...(serve && "slots" in serve ? toSplit(strategy, serve.slots, flag.key) : {}),
  };
}

function toSplit(strategy: StrategyActivation, slots: readonly StoredSlot[], key: string) {
  const splitKey = strategy.splitKey ?? key;
  const splitStickiness = strategy.splitStickiness ?? strategy.stickiness ?? undefined;
  return {
    slots: toSlots(slots),
    ...(splitKey !== key && { splitKey }),
    ...(splitStickiness !== undefined &&
      splitStickiness !== strategy.stickiness && { splitStickiness }),
  };
}

const toPrerequisite = ({ flagKey, enabled, variants }: Prerequisite): Prerequisite => ({
  flagKey,
  ...(enabled === false && { enabled }),
  ...(variants !== undefined && { variants }),
});

/**
 * The evaluation context: the known facts about the user, by field name. Objects, arrays and null count
 * as missing.
 */
export type EvaluationContext = Readonly<Record<string, unknown>>;

/** The reason of a verdict (the result of an evaluation). */
export type Reason =
  /** The flag is off: it is disabled or archived, or its rule is malformed. */
  | "DISABLED"
  /** The flag is off: one of its prerequisites does not hold. */
  | "PREREQUISITE_FAILED"
  /**
   * A rule decides, and its roll-out is 100 %. It has constraints or segments, all of which hold, or
   * it follows ordered rules or prerequisites.
   */
  | "TARGETING_MATCH"
  /**
   * The position of the id decides: the roll-out is below 100 %, or the rule splits its users. When
   * the flag is off: the conditions of a rule hold, but its roll-out does not include the id. At a
   * roll-out of 0 %, this is so for everybody.
   */
  | "SPLIT"
  /**
   * The only rule decides for everybody: it has no constraints, no segments, and a roll-out of 100
   * %. The flag has no ordered rules and no prerequisites.
   */
  | "STATIC"
  /** The flag is off: each of its rules has a constraint or a segment that does not hold. */
  | "CONSTRAINT_MISMATCH"
  /**
   * The flag is off: no rule decides, and one of them needs an id to hash, which the context does
   * not have.
   */
  | "TARGETING_KEY_MISSING"
  /** The flag is off: it does not exist. */
  | "FLAG_NOT_FOUND";

/** The result of evaluating a flag for a context. */
export interface Verdict {
  /**
   * Whether the flag is on. For a boolean flag: its value. For other flags: whether a rule decides
   * and serves a variant that is not the off variant.
   */
  readonly enabled: boolean;
  readonly reason: Reason;
  /**
   * The key of the served variant. Missing when the flag is off and has no off variant. Also missing
   * for a boolean flag without `rules`, `serve`, `slots` and `offVariant`.
   */
  readonly variant?: string;
  /**
   * The value of the variant. Missing when `variant` is missing, or when the rules were compiled
   * with `valueTexts`. All verdicts share this value: do not change it.
   */
  readonly value?: unknown;
  /** The id of the ordered rule that decided. Missing when no ordered rule decided. */
  readonly rule?: string;
}
