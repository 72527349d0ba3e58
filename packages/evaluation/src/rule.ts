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

/** The rule of one flag in one environment. */
export interface ClientRule {
  readonly key: string;
  readonly name: string;
  /** When false, the flag is off for everybody. */
  readonly enabled: boolean;
  /** Present in delta responses only: true when the flag was archived or deleted. */
  readonly archived?: true;
  readonly activation: {
    /** The percentage of targeting keys that get the flag, 0 to 100. */
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
  };
}

/** The fields of a strategy that become part of the rule. */
export interface RuleStrategy {
  readonly enabled: boolean;
  /** The percentage of targeting keys that get the flag, 0 to 100. */
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
}

/**
 * Makes the rule of a flag as SDKs receive it. `segments`: the project's segments by id. The order
 * of the rule's fields must not change, because the ETag of the response is a hash of the JSON
 * text.
 */
export function toClientRule(
  flag: { readonly key: string; readonly name: string },
  strategy: RuleStrategy,
  segments: ReadonlyMap<number, RuleSegment>,
): ClientRule {
  return {
    key: flag.key,
    name: flag.name,
    enabled: strategy.enabled,
    activation: {
      rollOut: strategy.percentage,
      constraints: strategy.constraints,
      // A missing segment becomes a segment without constraints. Such a segment never holds.
      segments: strategy.segmentIds.map((id) => segments.get(id) ?? { name: "", constraints: [] }),
      ...(strategy.stickiness !== null && { stickiness: strategy.stickiness }),
    },
  };
}

/**
 * The evaluation context: the known facts about the user, by field name. Objects, arrays and null count
 * as missing.
 */
export type EvaluationContext = Readonly<Record<string, unknown>>;

/** The reason of a verdict (the result of an evaluation). */
export type Reason =
  /** The flag is off: it is disabled or archived, or its rule is malformed. */
  | "DISABLED"
  /**
   * The flag is on: it has constraints or segments, all of them hold, and the roll-out is 100 %.
   */
  | "TARGETING_MATCH"
  /**
   * The flag is on or off by the bucket of the id; at a roll-out of 0 % it is off for everybody.
   */
  | "SPLIT"
  /**
   * The flag is on for everybody: its rule has no constraints, no segments, and a roll-out of 100
   * %.
   */
  | "STATIC"
  /** The flag is off: a constraint or a segment does not hold. */
  | "CONSTRAINT_MISMATCH"
  /**
   * The flag is off: the roll-out is above 0 % and below 100 %, and the context has no id to hash.
   */
  | "TARGETING_KEY_MISSING"
  /** The flag is off: it does not exist. */
  | "FLAG_NOT_FOUND";

/** The result of evaluating a flag for a context. */
export interface Verdict {
  readonly enabled: boolean;
  readonly reason: Reason;
}
