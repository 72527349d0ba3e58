import { isObject } from "@feature-flags/file/json";
import type { UnleashDocument } from "./document.ts";

/**
 * An export of Unleash (`POST /api/admin/features-batch/export`), which has the features of one
 * environment. It has the ids of segments, and not their constraints. `FEATURE` reads its parts.
 */
export interface UnleashExport {
  readonly features: readonly unknown[];
  /** Strategies with `featureName`, `sortOrder` and `disabled`. */
  readonly featureStrategies: readonly unknown[];
  /** Objects with `featureName`, `enabled` and `variants`. */
  readonly featureEnvironments?: unknown;
  /** Objects with `featureName`, `tagType` and `tagValue`. */
  readonly featureTags?: unknown;
  /** Objects with `feature` and its `dependencies`. */
  readonly dependencies?: unknown;
}

/** The response of `GET /api/admin/segments`. */
export interface UnleashSegments {
  readonly segments: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns the items of a list: none if it is missing, and `null` for any other value. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [null];
}

/**
 * Returns the items that belong to a feature. An item that does not say to which feature it belongs
 * becomes `null`, which no schema accepts, because it could be a condition of this feature.
 */
const itemsFor = (value: unknown, field: string, name: unknown): readonly (Json | null)[] =>
  itemsOf(value).flatMap((item) => {
    if (!isObject(item) || typeof item[field] !== "string") return [null];
    return item[field] === name ? [item] : [];
  });

/**
 * Returns the document that SDKs of Unleash get in the environment of an export. It leaves out strategies
 * that are turned off, as the server does, so a feature without another strategy is on for everybody.
 */
export function documentOfExport(
  source: UnleashExport,
  { segments }: UnleashSegments,
): UnleashDocument {
  const features = source.features
    .filter((feature) => !isObject(feature) || feature["archived"] !== true)
    .map((feature) => (isObject(feature) ? featureOf(feature, source) : feature));
  return { features, segments };
}

function featureOf(feature: Json, source: UnleashExport): Json {
  const { name, description, type, impressionData } = feature;
  const strategies = itemsFor(source.featureStrategies, "featureName", name)
    .map((one) => (one && isSwitchable(one) ? one : null))
    .filter((one) => one?.["disabled"] !== true)
    .toSorted((one, other) => orderOf(one) - orderOf(other));
  const place = itemsFor(source.featureEnvironments, "featureName", name).find((one) => one);
  const requiring = itemsFor(source.dependencies, "feature", name);
  return {
    name,
    description,
    type,
    impressionData,
    enabled: place ? place["enabled"] : false,
    strategies,
    variants: place?.["variants"],
    dependencies: requiring.flatMap((one) => itemsOf(one?.["dependencies"] ?? {})),
    tags: itemsFor(source.featureTags, "featureName", name)
      .filter((one) => one !== null)
      .map(({ tagType, tagValue }) => ({ type: tagType ?? "simple", value: tagValue })),
  };
}

/** Whether a strategy says in a readable way whether it is on, and where in the order. */
const isSwitchable = ({ disabled = null, sortOrder = null }: Json): boolean =>
  (disabled === null || typeof disabled === "boolean") &&
  (sortOrder === null || typeof sortOrder === "number");

const orderOf = (strategy: Json | null): number => Number(strategy?.["sortOrder"] ?? 0);
