import type {
  UnleashConstraint,
  UnleashDependency,
  UnleashDocument,
  UnleashFeature,
  UnleashSegment,
  UnleashStrategy,
  UnleashVariant,
} from "./document.ts";

/**
 * An export of Unleash (`POST /api/admin/features-batch/export`), which has the features of one
 * environment. It has the ids of segments, and not their constraints.
 */
export interface UnleashExport {
  readonly features: readonly ExportedFeature[];
  readonly featureStrategies: readonly ExportedStrategy[];
  readonly featureEnvironments?: readonly ExportedEnvironment[] | undefined;
  readonly featureTags?:
    | readonly {
        readonly featureName: string;
        readonly tagType?: string | undefined;
        readonly tagValue: string;
      }[]
    | undefined;
  readonly dependencies?:
    | readonly { readonly feature: string; readonly dependencies: readonly UnleashDependency[] }[]
    | undefined;
}

interface ExportedFeature {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type?: string | undefined;
  readonly archived?: boolean | undefined;
}

interface ExportedStrategy extends UnleashStrategy {
  readonly featureName: string;
  readonly sortOrder?: number | undefined;
  readonly disabled?: boolean | null | undefined;
}

interface ExportedEnvironment {
  readonly featureName: string;
  readonly enabled: boolean;
  readonly variants?: readonly UnleashVariant[] | undefined;
}

/** The response of `GET /api/admin/segments`. */
export interface UnleashSegments {
  readonly segments: readonly (UnleashSegment & {
    readonly constraints: readonly UnleashConstraint[];
  })[];
}

/**
 * Returns the document that SDKs of Unleash get in the environment of an export. It leaves out strategies
 * that are turned off, as the server does, so a feature without another strategy is on for everybody.
 */
export function documentOfExport(
  source: UnleashExport,
  { segments }: UnleashSegments,
): UnleashDocument {
  const { featureEnvironments = [], featureTags = [], dependencies = [] } = source;
  const features = source.features
    .filter(({ archived = false }) => !archived)
    .map(({ name, description, type }): UnleashFeature => {
      const strategies = source.featureStrategies
        .filter(({ featureName, disabled }) => featureName === name && disabled !== true)
        .toSorted((one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0));
      const place = featureEnvironments.find(({ featureName }) => featureName === name);
      return {
        name,
        description,
        type,
        enabled: place?.enabled ?? false,
        strategies,
        variants: place?.variants,
        dependencies: dependencies.find(({ feature }) => feature === name)?.dependencies,
        tags: featureTags
          .filter(({ featureName }) => featureName === name)
          .map(({ tagType = "simple", tagValue }) => ({ type: tagType, value: tagValue })),
      };
    });
  return { features, segments };
}
