/**
 * The features of `GET /client/features` of Unleash, with the fields that its SDKs read. All types are
 * plain JSON.
 */

/** A flag, or a helper that only dependencies name. */
export interface UnleashFeature {
  readonly name: string;
  readonly type: "release";
  readonly enabled: boolean;
  readonly stale: false;
  readonly impressionData: false;
  /** The first one that holds decides. Never empty while `enabled`, because that means "for everybody". */
  readonly strategies: readonly UnleashStrategy[];
  /** The split of all strategies without own variants; hashed with the name of the feature. */
  readonly variants: readonly UnleashVariant[];
  /** All of them must hold. Left out if there are none. */
  readonly dependencies?: readonly UnleashDependency[];
}

export interface UnleashStrategy {
  readonly name: "flexibleRollout";
  readonly parameters: {
    /** The percentage, a whole number. */
    readonly rollout: string;
    /** The context field whose value is hashed; `default`: `userId`, else `sessionId`, else at random. */
    readonly stickiness: string;
    /** What is hashed together with the id. */
    readonly groupId: string;
  };
  /** All of them must hold. */
  readonly constraints: readonly UnleashConstraint[];
  /** Empty: the variants of the feature. */
  readonly variants: readonly UnleashVariant[];
}

/** A constraint with either `values` or `value`, as the operator demands. */
export interface UnleashConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly value?: string;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
}

export interface UnleashVariant {
  readonly name: string;
  /** The weights of a list add up to 1,000. */
  readonly weight: number;
  readonly stickiness: string;
  readonly payload: {
    readonly type: "string" | "number" | "json";
    readonly value: string;
  };
}

export interface UnleashDependency {
  readonly feature: string;
  /** Whether the feature must be on. */
  readonly enabled: boolean;
  /** The variants of which the feature must serve one. Left out: any. */
  readonly variants?: readonly string[];
}

/**
 * The form of a document. `a`: for SDKs with `Unleash-Client-Spec` 4.3.0 or newer. `b`: for older SDKs,
 * which know no dependencies and no variants of strategies.
 */
export type Form = "a" | "b";
