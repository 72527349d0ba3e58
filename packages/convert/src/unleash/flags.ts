import type { FileFlag, FilePrerequisite, FileStrategy } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { Changes, type FlagReport, type Reason, Refusal } from "../report.ts";
import type { UnleashDependency, UnleashDocument, UnleashFeature } from "./document.ts";
import type { Segments } from "./segments.ts";
import { strategyOf } from "./strategies.ts";
import { variantsOf } from "./variants.ts";

/** The form of the key of a flag (docs/api.md). */
const FLAG_KEY = /^[A-Za-z0-9._:-]{1,128}$/;

/** The feature types of Unleash that are not meant to be removed. */
const PERMANENT = new Set(["operational", "kill-switch", "permission"]);

/** A feature in one environment. */
export interface Occurrence {
  readonly environment: string;
  readonly document: UnleashDocument;
  readonly feature: UnleashFeature;
}

/** A converted flag; `flag` is undefined if the flag was refused. */
export interface ConvertedFlag {
  readonly report: FlagReport;
  readonly flag: FileFlag | undefined;
}

/** Converts a flag with its strategies in all environments. */
export function convertFlag(
  key: string,
  occurrences: readonly Occurrence[],
  segments: Segments,
): ConvertedFlag {
  let environment: string | undefined;
  try {
    if (!FLAG_KEY.test(key)) throw new Refusal("the name is no valid key of a flag");
    const ofFlag = new Changes();
    const features = occurrences.map(({ feature }) => feature);
    const values = variantsOf(features, ofFlag);
    const prerequisites = prerequisitesOf(features);
    const reasons: Reason[] = [...ofFlag.reasons];
    const environments: [string, FileStrategy][] = [];
    for (const { feature, document, ...place } of occurrences) {
      ({ environment } = place);
      const changes = new Changes(environment);
      const order = values?.variants?.map((variant) => variant.key);
      environments.push([environment, strategyOf(feature, { document, segments, changes, order })]);
      reasons.push(...changes.reasons);
    }
    const [first] = features;
    const tags = [...new Set(features.flatMap(tagsOf))];
    const flag: FileFlag = {
      name: key,
      ...(first?.description && { description: first.description }),
      flagType: PERMANENT.has(first?.type ?? "") ? "KILLSWITCH" : "RELEASE",
      ...(tags.length > 0 && { tags }),
      ...values,
      ...(prerequisites.length > 0 && { prerequisites }),
      environments: Object.fromEntries(environments),
    };
    return { report: { key, result: reasons.length > 0 ? "changed" : "exact", reasons }, flag };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(key, { environment, message: error.message });
  }
}

const refused = (key: string, reason: Reason): ConvertedFlag => ({
  report: { key, result: "refused", reasons: [reason] },
  flag: undefined,
});

const tagsOf = ({ tags = [] }: UnleashFeature) =>
  tags.map(({ type, value }) => (type === "simple" ? value : `${type}:${value}`));

/** Returns the prerequisites of a flag, which here are the same in all environments. Throws: Refusal. */
function prerequisitesOf(features: readonly UnleashFeature[]): readonly FilePrerequisite[] {
  const [first = [], ...others] = features.map(({ dependencies }) =>
    (dependencies ?? []).map(toPrerequisite),
  );
  if (others.some((one) => !isSame(one, first)))
    throw new Refusal("the dependencies differ by environment");
  return first;
}

/** Unleash ignores the variants of a dependency that demands that the parent is off. */
function toPrerequisite({ feature, enabled, variants }: UnleashDependency): FilePrerequisite {
  if (enabled === false) return { flagKey: feature, enabled };
  return { flagKey: feature, ...(variants && variants.length > 0 && { variants }) };
}

/**
 * Returns the flags after a look at the flags that they require: a flag is refused if one of them is
 * missing, and changed if one of them is.
 */
export function withRequired(
  converted: ReadonlyMap<string, ConvertedFlag>,
): ReadonlyMap<string, ConvertedFlag> {
  const checked = new Map(converted);
  for (let before = ""; before !== statesOf(checked);) {
    before = statesOf(checked);
    for (const [key, one] of checked) checked.set(key, afterRequired(key, one, checked));
  }
  return checked;
}

const statesOf = (flags: ReadonlyMap<string, ConvertedFlag>): string =>
  Array.from(flags.values(), ({ report }) => report.result).join(" ");

function afterRequired(
  key: string,
  one: ConvertedFlag,
  all: ReadonlyMap<string, ConvertedFlag>,
): ConvertedFlag {
  const reasons = [...one.report.reasons];
  for (const { flagKey, variants } of one.flag?.prerequisites ?? []) {
    const required = all.get(flagKey);
    if (!required?.flag)
      return refused(key, {
        message: `requires the flag ${flagKey}, which is left out or unknown`,
      });
    const keys = required.flag.variants?.map((variant) => variant.key);
    const unknown = variants?.find((variant) => keys?.includes(variant) !== true);
    if (unknown !== undefined)
      return refused(key, {
        message: `requires the variant ${unknown} of the flag ${flagKey}, which does not have it`,
      });
    const message =
      (required.flag.prerequisites?.length ?? 0) > 0
        ? `requires the flag ${flagKey}, which requires others; in Unleash such a flag is off`
        : required.report.result === "changed" && `requires the flag ${flagKey}, which changes`;
    if (message !== false && !reasons.some((reason) => reason.message === message))
      reasons.push({ message });
  }
  const { result } = one.report;
  return {
    ...one,
    report: { key, result: reasons.length > 0 && result === "exact" ? "changed" : result, reasons },
  };
}
