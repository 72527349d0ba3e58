import {
  count,
  fields,
  finite,
  listOf,
  mapOf,
  optional,
  type Schema,
  text,
  truth,
} from "../schema.ts";

/**
 * The document that `GET /api/client/features` of Unleash returns with a token of one environment, and
 * with the header `Unleash-Client-Spec: 4.2.0`, so that segments are not copied into the strategies.
 */
export interface UnleashDocument {
  /** What `FEATURE` reads. */
  readonly features: readonly unknown[];
  /** A list of what `SEGMENT` reads. */
  readonly segments?: unknown;
}

export interface UnleashFeature {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** `release`, `experiment`, `operational`, `kill-switch` or `permission`. */
  readonly type?: string | undefined;
  readonly enabled: boolean;
  readonly impressionData?: boolean | undefined;
  readonly strategies?: readonly UnleashStrategy[] | undefined;
  /** The variants of the feature, which strategies without own variants use. */
  readonly variants?: readonly UnleashVariant[] | null | undefined;
  readonly dependencies?: readonly UnleashDependency[] | null | undefined;
  readonly tags?: readonly { readonly type: string; readonly value: string }[] | undefined;
}

export interface UnleashStrategy {
  readonly name: string;
  /** All values are texts, but numbers occur in old documents. */
  readonly parameters?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly constraints?: readonly UnleashConstraint[] | undefined;
  /** The ids of segments, all of which must hold. */
  readonly segments?: readonly number[] | undefined;
  readonly variants?: readonly UnleashVariant[] | null | undefined;
}

export interface UnleashConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
  /** Replaces `values` for operators that compare with one value. */
  readonly value?: string | undefined;
  readonly inverted?: boolean | undefined;
  readonly caseInsensitive?: boolean | undefined;
}

export interface UnleashSegment {
  readonly id: number;
  readonly name?: string | undefined;
  readonly constraints: readonly UnleashConstraint[];
}

export interface UnleashVariant {
  readonly name: string;
  readonly weight: number;
  readonly stickiness?: string | undefined;
  readonly payload?: { readonly type: string; readonly value: string } | undefined;
  readonly overrides?:
    | readonly { readonly contextName: string; readonly values: readonly string[] }[]
    | undefined;
}

export interface UnleashDependency {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}

const CONSTRAINT = fields<UnleashConstraint>({
  contextName: text,
  operator: text,
  values: optional(listOf(text)),
  value: optional(text),
  inverted: optional(truth),
  caseInsensitive: optional(truth),
});

const VARIANT = fields<UnleashVariant>({
  name: text,
  weight: count,
  stickiness: optional(text),
  payload: optional(fields({ type: text, value: text })),
  overrides: optional(listOf(fields({ contextName: text, values: listOf(text) }))),
});

const parameter: Schema<string | number | undefined> = optional((value, place) =>
  typeof value === "number" ? finite(value, place) : text(value, place),
);

const STRATEGY = fields<UnleashStrategy>({
  name: text,
  parameters: optional(mapOf(parameter)),
  constraints: optional(listOf(CONSTRAINT)),
  segments: optional(listOf(count)),
  variants: optional(listOf(VARIANT)),
});

export const FEATURE = fields<UnleashFeature>({
  name: text,
  description: optional(text),
  type: optional(text),
  enabled: truth,
  impressionData: optional(truth),
  strategies: optional(listOf(STRATEGY)),
  variants: optional(listOf(VARIANT)),
  dependencies: optional(
    listOf(
      fields<UnleashDependency>({
        feature: text,
        enabled: optional(truth),
        variants: optional(listOf(text)),
      }),
    ),
  ),
  tags: optional(listOf(fields({ type: text, value: text }))),
});

export const SEGMENT = fields<UnleashSegment>({
  id: count,
  name: optional(text),
  constraints: listOf(CONSTRAINT),
});
