import {
  count,
  fields,
  finite,
  listOf,
  mapOf,
  optional,
  present,
  scalar,
  type Schema,
  text,
  truth,
} from "../schema.ts";

/**
 * A flag in the response of `GET /api/v2/flags/{project}?summary=0&env=…` of LaunchDarkly. Without
 * `summary=0`, the environments have no rules.
 */
export interface LdFlag {
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly kind?: string | undefined;
  /** Whether the flag is meant to be removed. */
  readonly temporary?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Which client-side SDKs get the flag; undefined in documents that do not tell. */
  readonly clientSideAvailability?:
    | {
        readonly usingEnvironmentId?: boolean | undefined;
        readonly usingMobileKey?: boolean | undefined;
      }
    | undefined;
  readonly variations: readonly LdVariation[];
  /** The state in each environment, by the key of the environment. */
  readonly environments: Readonly<Record<string, LdEnvironment>>;
}

export interface LdVariation {
  readonly value: unknown;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

export interface LdEnvironment {
  readonly on: boolean;
  /** The targets of the kind `user`. */
  readonly targets?: readonly LdTarget[] | undefined;
  /**
   * The targets of all kinds in their order. One of the kind `user` has no values: it stands for the
   * entry of `targets` with the same variation.
   */
  readonly contextTargets?: readonly LdTarget[] | undefined;
  readonly rules?: readonly LdRule[] | undefined;
  readonly fallthrough?: LdServed | undefined;
  /** The index of a variation; undefined: the default in the code. */
  readonly offVariation?: number | null | undefined;
  /** Whether events of all users are sent, and those of the default rule. */
  readonly trackEvents?: boolean | undefined;
  readonly trackEventsFallthrough?: boolean | undefined;
  readonly prerequisites?: readonly LdPrerequisite[] | undefined;
}

export interface LdTarget {
  readonly values: readonly string[];
  readonly variation: number;
  readonly contextKind?: string | undefined;
}

/** What a rule serves: the index of a variation, or a percentage roll-out. */
export interface LdServed {
  readonly variation?: number | undefined;
  readonly rollout?: LdRollout | undefined;
}

export interface LdRollout {
  /** `experiment` or `rollout`, in documents of SDKs. */
  readonly kind?: string | undefined;
  /** Makes the roll-out an experiment. */
  readonly experimentAllocation?: unknown;
  /** Weights in thousandths of a per cent. */
  readonly variations: readonly { readonly variation: number; readonly weight: number }[];
  readonly contextKind?: string | undefined;
  /** The attribute that is hashed. Default: `key`. */
  readonly bucketBy?: string | undefined;
}

export interface LdRule extends LdServed {
  readonly description?: string | undefined;
  readonly trackEvents?: boolean | undefined;
  readonly clauses: readonly LdClause[];
}

export interface LdClause {
  readonly attribute: string;
  readonly op: string;
  readonly values: readonly (string | number | boolean)[];
  readonly negate?: boolean | undefined;
  /** Undefined in old documents, in which `attribute` is a name and no path. */
  readonly contextKind?: string | undefined;
}

export interface LdPrerequisite {
  readonly key: string;
  readonly variation: number;
}

/** A segment in the response of `GET /api/v2/segments/{project}/{environment}` of LaunchDarkly. */
export interface LdSegment {
  readonly key: string;
  readonly unbounded?: boolean | undefined;
  readonly deleted?: boolean | undefined;
  /** Keys of the kind `user`. They come before `excluded`. */
  readonly included?: readonly string[] | undefined;
  readonly excluded?: readonly string[] | undefined;
  readonly includedContexts?: readonly LdSegmentTarget[] | undefined;
  readonly excludedContexts?: readonly LdSegmentTarget[] | undefined;
  /** One of them must hold. */
  readonly rules?: readonly LdSegmentRule[] | undefined;
}

export interface LdSegmentTarget {
  readonly values: readonly string[];
  readonly contextKind?: string | undefined;
}

export interface LdSegmentRule {
  readonly clauses: readonly LdClause[];
  /** The share of users in thousandths of a per cent. Default: all. */
  readonly weight?: number | undefined;
}

/** Accepts a value that is missing, but not `null`, with which the SDKs find no user. */
const unlessMissing =
  <T>(schema: Schema<T>): Schema<T | undefined> =>
  (value, place) =>
    value === undefined ? undefined : schema(value, place);

const CLAUSE = fields<LdClause>({
  attribute: text,
  op: text,
  values: listOf(scalar),
  negate: optional(truth),
  contextKind: unlessMissing(text),
});

const TARGETS = optional(
  listOf(
    fields<LdTarget>({ values: listOf(text), variation: count, contextKind: unlessMissing(text) }),
  ),
);

const SERVED = {
  variation: unlessMissing(count),
  rollout: unlessMissing(
    fields<LdRollout>({
      kind: optional(text),
      experimentAllocation: optional(present),
      variations: listOf(fields({ variation: count, weight: count })),
      contextKind: unlessMissing(text),
      bucketBy: unlessMissing(text),
    }),
  ),
};

const ENVIRONMENT = fields<LdEnvironment>({
  on: truth,
  targets: TARGETS,
  contextTargets: TARGETS,
  rules: optional(
    listOf(
      fields<LdRule>({
        ...SERVED,
        description: optional(text),
        trackEvents: optional(truth),
        clauses: listOf(CLAUSE),
      }),
    ),
  ),
  fallthrough: optional(fields<LdServed>(SERVED)),
  offVariation: optional(count),
  trackEvents: optional(truth),
  trackEventsFallthrough: optional(truth),
  prerequisites: optional(listOf(fields<LdPrerequisite>({ key: text, variation: count }))),
});

/** Returns the schema of a flag, which reads only these environments. */
export const flagSchema = (environments: readonly string[]): Schema<LdFlag> =>
  fields<LdFlag>({
    key: text,
    name: optional(text),
    description: optional(text),
    kind: optional(text),
    temporary: optional(truth),
    archived: optional(truth),
    tags: optional(listOf(text)),
    clientSideAvailability: optional(
      fields({ usingEnvironmentId: optional(truth), usingMobileKey: optional(truth) }),
    ),
    variations: listOf(
      fields<LdVariation>({ value: present, name: optional(text), description: optional(text) }),
    ),
    environments: mapOf(ENVIRONMENT, environments),
  });

const SEGMENT_TARGETS = optional(
  listOf(fields<LdSegmentTarget>({ values: listOf(text), contextKind: unlessMissing(text) })),
);

export const SEGMENT = fields<LdSegment>({
  key: text,
  unbounded: optional(truth),
  deleted: optional(truth),
  included: optional(listOf(text)),
  excluded: optional(listOf(text)),
  includedContexts: SEGMENT_TARGETS,
  excludedContexts: SEGMENT_TARGETS,
  rules: optional(
    listOf(fields<LdSegmentRule>({ clauses: listOf(CLAUSE), weight: unlessMissing(finite) })),
  ),
});
