import type { FileFlag, FilePrerequisite, FileStrategy } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { type Changes, Refusal } from "../report.ts";
import type { Segments } from "../segments.ts";
import {
  FEATURE,
  type UnleashDependency,
  type UnleashDocument,
  type UnleashFeature,
} from "./document.ts";
import { convertedStrategy } from "./strategies.ts";
import { variantsOf } from "./variants.ts";

/** The feature types of Unleash that are not meant to be removed. */
const PERMANENT = new Set(["operational", "kill-switch", "permission"]);

/** A feature in one environment. */
export interface Occurrence {
  readonly environment: string;
  readonly document: UnleashDocument;
  /** What `FEATURE` reads. */
  readonly feature: unknown;
}

interface Place {
  readonly segments: Segments;
  readonly changes: Changes;
}

/** Converts a flag with its strategies in all environments. Throws: Refusal. */
export function flagOf(
  key: string,
  occurrences: readonly Occurrence[],
  { segments, changes }: Place,
): FileFlag {
  const read = occurrences.map(({ environment, document, feature }) => {
    changes.environment = environment;
    return { environment, document, feature: FEATURE(feature, "") };
  });
  changes.environment = undefined;
  const features = read.map(({ feature }) => feature);
  if (features.some(({ impressionData }) => impressionData)) changes.add("impressionData");
  const values = variantsOf(features, changes);
  const prerequisites = prerequisitesOf(features);
  const environments: [string, FileStrategy][] = [];
  const order = values?.variants?.map((variant) => variant.key);
  for (const { environment, document, feature } of read) {
    changes.environment = environment;
    environments.push([
      environment,
      convertedStrategy(feature, { document, segments, changes, order }),
    ]);
  }
  const [first] = features;
  const tags = [...new Set(features.flatMap(tagsOf))];
  return {
    name: key,
    ...(first?.description && { description: first.description }),
    flagType: PERMANENT.has(first?.type ?? "") ? "KILLSWITCH" : "RELEASE",
    ...(tags.length > 0 && { tags }),
    ...values,
    ...(prerequisites.length > 0 && { prerequisites }),
    environments: Object.fromEntries(environments),
  };
}

const tagsOf = ({ tags = [] }: UnleashFeature) =>
  tags.map(({ type, value }) => (type === "simple" ? value : `${type}:${value}`));

/** Returns the prerequisites of a flag, which here are the same in all environments. Throws: Refusal. */
function prerequisitesOf(features: readonly UnleashFeature[]): readonly FilePrerequisite[] {
  const [first = [], ...others] = features.map(({ dependencies }) =>
    (dependencies ?? []).map(toPrerequisite),
  );
  if (others.some((one) => !isSame(one, first))) throw new Refusal("prerequisitesDiffer");
  return first;
}

/** Unleash ignores the variants of a dependency that demands that the parent is off. */
function toPrerequisite({ feature, enabled, variants }: UnleashDependency): FilePrerequisite {
  if (enabled === false) return { flagKey: feature, enabled };
  return { flagKey: feature, ...(variants && variants.length > 0 && { variants }) };
}
