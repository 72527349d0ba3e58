/** Rules as `GET /api/client/features` returns them and SDKs evaluate them. All types are plain JSON. */

/** A condition on one context field. A positive operator holds when any of `values` matches. */
export interface Constraint {
  /** The name of the context field. */
  readonly field: string;
  /** One of `operatorsOf(contextType)`, such as `in`, `startsWith` or `notExists`. */
  readonly operator: string;
  readonly values: readonly string[];
  /** How values are parsed and compared: string, number, boolean, date, semver or ip. */
  readonly contextType: string;
  /** For `string` only: compares in lower case. Default: false. */
  readonly caseInsensitive?: boolean;
  /** Negates the result, as the last step. Default: false. */
  readonly inverted?: boolean;
}

/** A named set of constraints, all of which must hold. Without constraints it never holds. */
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
  /** Present in delta responses only: the flag was archived or deleted. */
  readonly archived?: true;
  readonly activation: {
    /** Percentage of targeting keys, 0 to 100. */
    readonly rollOut: number;
    /** All of them must hold. */
    readonly constraints: readonly Constraint[];
    /** All of them must hold. */
    readonly segments: readonly RuleSegment[];
    /** The context field to hash. Default: the first of `DEFAULT_STICKINESS` that the context has. */
    readonly stickiness?: string;
  };
}

/** The fields of a strategy that become part of the rule. */
export interface RuleStrategy {
  readonly enabled: boolean;
  /** Percentage of targeting keys, 0 to 100. */
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
}

/**
 * The rule of a flag as SDKs receive it. `segments` are the project's segments by id. The order of
 * the keys is part of the response's ETag.
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
      // A segment that is missing counts as one without constraints, which never holds.
      segments: strategy.segmentIds.map((id) => segments.get(id) ?? { name: "", constraints: [] }),
      ...(strategy.stickiness !== null && { stickiness: strategy.stickiness }),
    },
  };
}

/** What is known of the user: values by field name. Objects, arrays and null count as missing. */
export type EvaluationContext = Readonly<Record<string, unknown>>;

/** Why a verdict is what it is. */
export type Reason =
  /** Off: the flag is disabled, archived, or its rule is malformed. */
  | "DISABLED"
  /** On: all constraints and segments hold, and the roll-out is 100 %. */
  | "TARGETING_MATCH"
  /** On or off by the bucket of the id. */
  | "SPLIT"
  /** On for everybody: no constraints, no segments, 100 %. */
  | "STATIC"
  /** Off: a constraint or a segment does not hold. */
  | "CONSTRAINT_MISMATCH"
  /** Off: the roll-out is partial, and the context has no id to hash. */
  | "TARGETING_KEY_MISSING"
  /** Off: there is no such flag. */
  | "FLAG_NOT_FOUND";

/** The result of an evaluation. */
export interface Verdict {
  readonly enabled: boolean;
  readonly reason: Reason;
}
