import type { FileFlag, FilePrerequisite, FileRule, FileStrategy } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { alternativesOf } from "../condition.ts";
import { MAX_NAME, MAX_RULE_NAME } from "../limits.ts";
import { type Changes, Refusal } from "../report.ts";
import { rulesFor, strategyWith } from "../rules.ts";
import type { Segments } from "../segments.ts";
import { keyIn } from "./clauses.ts";
import type { LdEnvironment, LdFlag, LdTarget } from "./document.ts";
import { clauseCondition, type SegmentPlace } from "./segments.ts";
import { keyAt, servedBy } from "./served.ts";
import { type Variants, variantsOf } from "./variations.ts";

/** An environment of LaunchDarkly that becomes one of the project. */
export interface LdPlace {
  /** The name of the environment here. */
  readonly name: string;
  /** The key of the environment in LaunchDarkly. */
  readonly key: string;
  /** The segments of the environment; undefined if their document is missing. */
  readonly segments: readonly unknown[] | undefined;
}

/** What all flags share. */
export interface Project {
  /** The flags by key, or why a flag cannot be read. */
  readonly flags: ReadonlyMap<string, LdFlag | Refusal>;
  readonly places: readonly LdPlace[];
  readonly segments: Segments;
}

/** Converts a flag with its strategies in all environments. Throws: Refusal. */
export function flagOf(source: LdFlag | Refusal, project: Project, changes: Changes): FileFlag {
  if (source instanceof Refusal) throw source;
  const { places } = project;
  const variants = variantsOf(source);
  if (source.temporary === false) changes.add("permanent");
  const found = places.flatMap((place) => {
    const own = source.environments[place.key];
    return own ? [{ place, own }] : [];
  });
  const offVariant = offVariantOf(source, places, variants);
  const prerequisites = prerequisitesOf(
    found.map(({ own }) => own),
    project,
    changes,
  );
  const environments = found.map(({ place, own }): [string, FileStrategy] => {
    changes.environment = place.name;
    if (isTracked(own)) changes.add("experiment");
    const off = offOf(own, variants);
    if (off !== offVariant) changes.add("offVariation", { variant: off ?? "–" });
    const segments = { known: place.segments, segments: project.segments, changes };
    return [place.name, convertedStrategy(own, { variants, offVariant, segments })];
  });
  const { name = source.key, description, temporary = true, tags = [] } = source;
  return {
    name: name.trim().slice(0, MAX_NAME) || source.key,
    ...(description && { description }),
    flagType: temporary ? "RELEASE" : "KILLSWITCH",
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...variants.fields,
    ...(offVariant !== (variants.isBoolean ? "off" : null) && { offVariant }),
    ...(prerequisites.length > 0 && { prerequisites }),
    ...clientsOf(source),
    environments: Object.fromEntries(environments),
  };
}

/** Returns which clients get a flag; no field if the document does not tell. */
function clientsOf({ clientSideAvailability }: LdFlag): Pick<FileFlag, "clients"> {
  if (clientSideAvailability === undefined) return {};
  const { usingEnvironmentId = false, usingMobileKey = false } = clientSideAvailability;
  return { clients: usingEnvironmentId || usingMobileKey ? "all" : "server" };
}

/** Whether events are sent, which experiments need. */
function isTracked(own: LdEnvironment): boolean {
  const rules = own.rules ?? [];
  const served = [...rules, own.fallthrough].map((one) => one?.rollout);
  return (
    [own.trackEvents, own.trackEventsFallthrough, ...rules.map((rule) => rule.trackEvents)].some(
      Boolean,
    ) || served.some((one) => one?.kind === "experiment" || one?.experimentAllocation !== undefined)
  );
}

const offOf = ({ offVariation }: LdEnvironment, variants: Variants): string | null =>
  typeof offVariation === "number" ? keyAt(offVariation, variants) : null;

/** Returns the off variant of a flag: that of its first environment. */
function offVariantOf(
  { environments }: LdFlag,
  places: readonly LdPlace[],
  variants: Variants,
): string | null {
  const [first] = places.flatMap(({ key }) => environments[key] ?? []);
  return first ? offOf(first, variants) : null;
}

/** Returns the prerequisites of a flag, which here are the same in all environments. Throws: Refusal. */
function prerequisitesOf(
  environments: readonly LdEnvironment[],
  { flags, places }: Project,
  changes: Changes,
): readonly FilePrerequisite[] {
  const [first = [], ...others] = environments.map(({ prerequisites }) => prerequisites ?? []);
  if (others.some((one) => !isSame(one, first))) throw new Refusal("prerequisitesDiffer");
  return first.map(({ key, variation }): FilePrerequisite => {
    const required = flags.get(key);
    if (!required || required instanceof Refusal)
      throw new Refusal("missingRequirement", { flag: key });
    const variants = variantsOf(required);
    const variant = keyAt(variation, variants);
    // LaunchDarkly demands the variation, and two with one value have one variant here.
    if (variants.keys.filter((one) => one === variant).length > 1) throw new Refusal("malformed");
    const isOff = variant === offVariantOf(required, places, variants);
    // LaunchDarkly demands that the flag is on; here the off variant does not tell.
    if (isOff) changes.add("requiredOff", { flag: key });
    const enabled = variants.isBoolean ? variant === "on" : !isOff;
    if (variants.isBoolean && enabled) return { flagKey: key };
    return { flagKey: key, enabled, variants: [variant] };
  });
}

interface StrategyPlace {
  readonly variants: Variants;
  readonly offVariant: string | null;
  readonly segments: SegmentPlace;
}

/** Returns the strategy of a flag in an environment: targets first, then the rules in their order. */
function convertedStrategy(own: LdEnvironment, place: StrategyPlace): FileStrategy {
  const { variants, offVariant, segments } = place;
  const { changes } = segments;
  const parts = { variants, offVariant, changes };
  const targeted = targetsOf(own).flatMap(({ values, contextKind, variation }) =>
    rulesFor(alternativesOf(keyIn(values, contextKind, changes)), {
      serve: { variant: keyAt(variation, variants) },
    }),
  );
  const ruled = (own.rules ?? []).flatMap((rule): readonly FileRule[] => {
    const alternatives = alternativesOf({
      all: rule.clauses.map((clause) => clauseCondition(clause, segments)),
    });
    if (alternatives.length === 0) return [];
    const name = rule.description?.trim().slice(0, MAX_RULE_NAME);
    return rulesFor(alternatives, { ...(name && { name }), ...servedBy(rule, parts, false) });
  });
  if (!own.fallthrough) throw new Refusal("malformed");
  return strategyWith(own.on, [...targeted, ...ruled], servedBy(own.fallthrough, parts, true));
}

/** Returns the targets in their order. */
function targetsOf({ targets = [], contextTargets = [] }: LdEnvironment): readonly LdTarget[] {
  if (contextTargets.length === 0) return targets;
  return contextTargets.flatMap((target) =>
    (target.contextKind ?? "user") === "user"
      ? targets.filter(({ variation }) => variation === target.variation).slice(0, 1)
      : target,
  );
}
