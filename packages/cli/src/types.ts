/** The parts of the responses of the management API that the program reads (openapi.json). */

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly ownRole: string | null;
}

export interface Environment {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly production: boolean;
  /** Above 0, the environment is protected: a change needs an approval. */
  readonly requiredApprovals: number;
}

/** The response of `GET /api/v1/tokens/current`. */
export interface CurrentToken {
  readonly name: string;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly environmentIds: readonly number[] | null;
  readonly expiresAt: string;
}

export type ValueType = "boolean" | "string" | "number" | "json";

interface Variant {
  readonly key: string;
  readonly value: unknown;
}

interface Prerequisite {
  readonly flagKey: string;
  readonly enabled?: boolean;
  readonly variants?: readonly string[];
}

export interface Flag {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly flagType: string;
  readonly archived: boolean;
  readonly tags: readonly string[];
  readonly valueType: ValueType;
  readonly variants: readonly Variant[];
  readonly offVariant: string | null;
  readonly prerequisites: readonly Prerequisite[];
  readonly stale: boolean;
  readonly lastUsedAt: string | null;
}

interface Constraint {
  readonly field: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly contextType: string;
  readonly caseInsensitive?: boolean;
  readonly inverted?: boolean;
}

export type Serve =
  | { readonly variant: string }
  | {
      readonly weights: Readonly<Record<string, number>>;
      readonly slots: readonly {
        readonly from: number;
        readonly to: number;
        readonly variant: string;
      }[];
    };

interface Activation {
  readonly percentage: number;
  readonly exactPercentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
  readonly hashKey: string | null;
  readonly serve: Serve;
  readonly splitKey: string | null;
  readonly splitStickiness: string | null;
}

interface StrategyRule extends Activation {
  readonly id: string;
  readonly name: string | null;
}

export interface Strategy extends Activation {
  readonly environmentId: number;
  readonly environmentName: string;
  readonly enabled: boolean;
  readonly rules: readonly StrategyRule[];
  readonly version: number;
  readonly updatedAt: string | null;
}

export interface FlagInEnvironment extends Flag {
  readonly strategy: Strategy;
}

export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly constraints: readonly Constraint[];
}

/** The response of `POST /api/v1/operations`. */
export interface OperationsResult {
  readonly planId: string;
  readonly changes: readonly {
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
  }[];
  /** The share of users who get another variant, 0 to 1; only in a dry run. */
  readonly moves: readonly { readonly share: number }[];
}

export interface ChangeRequest {
  readonly id: number;
  readonly title: string;
  readonly status: string | null;
}

export interface AuditRecord {
  readonly id: number;
  readonly at: string;
  readonly action: string;
  readonly actor: { readonly name: string | null; readonly displayName?: string | null };
  readonly entityType: string;
  readonly entityId: number;
  readonly environmentId: number | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}
