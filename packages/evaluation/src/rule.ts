/** The wire form of a flag rule: what `GET /api/client/features` answers, and what an SDK evaluates. */

/** One condition on one context field; see `operators.ts` for the meaning of each operator. */
export interface Constraint {
  readonly field: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly contextType: string;
  /** `string` only: both sides are compared in lower case. */
  readonly caseInsensitive?: boolean;
  /** Negates the result, as the last step. */
  readonly inverted?: boolean;
}

/** A reusable set of constraints, all of which must hold. Without constraints it never holds. */
export interface RuleSegment {
  readonly name: string;
  readonly constraints: readonly Constraint[];
}

export interface ClientRule {
  readonly key: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Present in a delta only: the flag left the list. */
  readonly archived?: true;
  readonly activation: {
    /** Percentage of targeting keys, 0 to 100. */
    readonly rollOut: number;
    readonly constraints: readonly Constraint[];
    readonly segments: readonly RuleSegment[];
    /** The context field that is hashed; by default the first of `DEFAULT_STICKINESS` present. */
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

/** String-keyed values; objects, arrays and null count as missing. */
export type EvaluationContext = Readonly<Record<string, unknown>>;

export type Reason =
  | "DISABLED"
  | "TARGETING_MATCH"
  | "SPLIT"
  | "STATIC"
  | "CONSTRAINT_MISMATCH"
  | "TARGETING_KEY_MISSING"
  | "FLAG_NOT_FOUND";

export interface Verdict {
  readonly enabled: boolean;
  readonly reason: Reason;
}
