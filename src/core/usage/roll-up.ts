import { HOUR_MS } from "../lib/time.ts";
import type { InstanceMark, UsageMessage, UsageReport, VariantCounts } from "./message-types.ts";

/** How often a flag was true (`t`) and false (`f`) in an hour. */
interface FlagTotal {
  readonly t: number;
  readonly f: number;
  /** When a usage report last contained the flag, epoch milliseconds. */
  readonly lastAt: number;
  /** How often each variant was served, by variant key; undefined when no report has variants. */
  readonly variants?: ReadonlyMap<string, number> | undefined;
}

/** The usage totals of one environment, or of one SDK instance, in one hour. */
export interface HourTotal {
  readonly environmentId: number;
  /** The start of the hour, epoch milliseconds. */
  readonly hour: number;
  /** The totals of the flags, by flag key. */
  readonly flags: Map<string, FlagTotal>;
}

/** The keys of the variants of flags, by `flagName`. */
export type KnownVariants = ReadonlyMap<string, ReadonlySet<string>>;

type Instance = NonNullable<UsageReport["instance"]>;

/** All last-seen marks of one SDK instance, merged. Times are epoch milliseconds. */
export interface SeenInstance extends Omit<InstanceMark, "at"> {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The time of the first mark with the revision in `revision`; null when `revision` is null. */
  readonly revisionSeenAt: number | null;
}

/** The merged usage counts and last-seen times of a list of usage messages. */
export interface UsageTotals {
  /**
   * The ids of the usage reports, without duplicates. A report that the queue delivers twice is
   * counted once.
   */
  readonly ids: readonly string[];
  readonly environments: readonly HourTotal[];
  readonly instances: readonly (HourTotal & Instance)[];
  /** When each API key was last used, epoch milliseconds, by the id of the key. */
  readonly keys: ReadonlyMap<number, number>;
  readonly seen: readonly SeenInstance[];
}

/** Adds up usage messages, in any order. */
export function totalsOf(messages: readonly UsageMessage[]): UsageTotals {
  const reports = new Map<string, UsageReport>();
  const keys = new Map<number, number>();
  const marks: InstanceMark[] = [];
  for (const message of messages)
    if (message.kind === "report") reports.set(message.id, message);
    else {
      for (const [id, at] of message.keys) keys.set(id, Math.max(at, keys.get(id) ?? 0));
      for (const mark of message.instances) marks.push(mark);
    }
  const environments = new Map<string, HourTotal>();
  const instances = new Map<string, HourTotal & Instance>();
  for (const report of reports.values()) {
    addReport(environments, report, {});
    if (report.instance) addReport(instances, report, report.instance);
  }
  return {
    ids: [...reports.keys()],
    environments: [...environments.values()],
    instances: [...instances.values()],
    keys,
    seen: [...Map.groupBy(marks, nameOf).values()].map(seenInstance),
  };
}

/**
 * Adds a usage report to the total of its hour. `who` is the SDK instance in totals of SDK
 * instances, and empty in totals of environments.
 */
function addReport<Who extends object>(
  totals: Map<string, HourTotal & Who>,
  { environmentId, at, evaluations }: UsageReport,
  who: Who,
): void {
  const hour = at - (at % HOUR_MS);
  const name = JSON.stringify([environmentId, hour, who]);
  let total = totals.get(name);
  if (!total) {
    total = { ...who, environmentId, hour, flags: new Map() };
    totals.set(name, total);
  }
  for (const [key, t, f, reported] of evaluations) {
    const before: FlagTotal = total.flags.get(key) ?? { t: 0, f: 0, lastAt: at };
    const lastAt = Math.max(before.lastAt, at);
    const variants = reported ? addVariants(before.variants, reported) : before.variants;
    total.flags.set(key, { t: before.t + t, f: before.f + f, lastAt, variants });
  }
}

function addVariants(
  before: FlagTotal["variants"],
  reported: VariantCounts,
): ReadonlyMap<string, number> {
  const counts = new Map(before);
  for (const [variant, n] of Object.entries(reported))
    counts.set(variant, (counts.get(variant) ?? 0) + n);
  return counts;
}

/** Returns a text that identifies a flag by its key and an environment of its project. */
export const flagName = (environmentId: number, key: string): string => `${environmentId}:${key}`;

/**
 * Returns the totals without the variants that are not in `known`. Anybody can invent variant keys
 * with a FRONTEND key.
 */
export const withKnownVariants = (totals: UsageTotals, known: KnownVariants): UsageTotals => ({
  ...totals,
  environments: totals.environments.map((total) => onlyKnown(total, known)),
  instances: totals.instances.map((total) => onlyKnown(total, known)),
});

const onlyKnown = <Total extends HourTotal>(total: Total, known: KnownVariants): Total => ({
  ...total,
  flags: new Map(
    Array.from(total.flags, ([key, flag]) => {
      const keys = known.get(flagName(total.environmentId, key));
      const counts = [...(flag.variants ?? [])].filter(([variant]) => keys?.has(variant));
      return [key, { ...flag, variants: counts.length > 0 ? new Map(counts) : undefined }];
    }),
  ),
});

/** Returns a text that identifies an SDK instance. */
export const nameOf = ({
  environmentId,
  instanceId,
  appName,
}: Pick<InstanceMark, "environmentId" | "instanceId" | "appName">): string =>
  JSON.stringify([environmentId, instanceId, appName]);

/** Merges the last-seen marks of one SDK instance. The marks may be in any order. */
function seenInstance(marks: readonly InstanceMark[]): SeenInstance {
  const inOrder = marks.toSorted((one, other) => one.at - other.at);
  const [first] = inOrder as [InstanceMark];
  const { environmentId, instanceId, appName, at: firstSeenAt } = first;
  let { sdkVersion, revision, sdkFeatures, rulesFetchedAt, at: lastSeenAt } = first;
  let revisionSeenAt = revision === null ? null : lastSeenAt;
  for (const mark of inOrder) {
    lastSeenAt = mark.at;
    sdkVersion = mark.sdkVersion ?? sdkVersion;
    sdkFeatures = mark.sdkFeatures ?? sdkFeatures;
    if ((mark.rulesFetchedAt ?? 0) > (rulesFetchedAt ?? 0)) rulesFetchedAt = mark.rulesFetchedAt;
    if (mark.revision === null || mark.revision <= (revision ?? -1)) continue;
    revision = mark.revision;
    revisionSeenAt = mark.at;
  }
  return {
    environmentId,
    instanceId,
    appName,
    sdkVersion,
    firstSeenAt,
    lastSeenAt,
    revision,
    revisionSeenAt,
    sdkFeatures,
    rulesFetchedAt,
  };
}
