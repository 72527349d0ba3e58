import { HOUR_MS } from "../lib/time.ts";
import { type InstanceMark, type UsageMessage, type UsageReport } from "./message-types.ts";

/** How often a flag was true and false, and when it was last reported, epoch milliseconds. */
interface FlagTotal {
  readonly t: number;
  readonly f: number;
  readonly lastAt: number;
}

/** Of one hour, by flag key. */
export interface HourTotal {
  readonly environmentId: number;
  /** The beginning of the hour, epoch milliseconds. */
  readonly hour: number;
  readonly flags: Map<string, FlagTotal>;
}

type Instance = NonNullable<UsageReport["instance"]>;

/** What several sightings of an instance come to. */
export interface SeenInstance extends Omit<InstanceMark, "at"> {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** When it was first seen with its revision; null without one. */
  readonly revisionSeenAt: number | null;
}

/** What many messages come to. */
export interface UsageTotals {
  /** Of the reports; one that is there twice is counted once. */
  readonly ids: readonly string[];
  readonly environments: readonly HourTotal[];
  readonly instances: readonly (HourTotal & Instance)[];
  /** When each API key was last used. */
  readonly keys: ReadonlyMap<number, number>;
  readonly seen: readonly SeenInstance[];
}

export function totalsOf(messages: readonly UsageMessage[]): UsageTotals {
  const reports = new Map<string, UsageReport>();
  const keys = new Map<number, number>();
  const sightings: InstanceMark[] = [];
  for (const message of messages)
    if (message.kind === "report") reports.set(message.id, message);
    else {
      for (const [id, at] of message.keys) keys.set(id, Math.max(at, keys.get(id) ?? 0));
      for (const sighting of message.instances) sightings.push(sighting);
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
    seen: [...Map.groupBy(sightings, nameOf).values()].map(seenInstance),
  };
}

/** Adds to the total of the report's hour, and of whoever it is counted for. */
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
  for (const [key, t, f] of evaluations) {
    const before = total.flags.get(key) ?? { t: 0, f: 0, lastAt: at };
    const lastAt = Math.max(before.lastAt, at);
    total.flags.set(key, { t: before.t + t, f: before.f + f, lastAt });
  }
}

const nameOf = ({ environmentId, instanceId, appName }: InstanceMark) =>
  JSON.stringify([environmentId, instanceId, appName]);

/** All of the same instance, in whatever order they came. */
function seenInstance(sightings: readonly InstanceMark[]): SeenInstance {
  const inOrder = sightings.toSorted((one, other) => one.at - other.at);
  const [first] = inOrder as [InstanceMark];
  const { environmentId, instanceId, appName, at: firstSeenAt } = first;
  let { sdkVersion, revision, at: lastSeenAt } = first;
  let revisionSeenAt = revision === null ? null : lastSeenAt;
  for (const sighting of inOrder) {
    lastSeenAt = sighting.at;
    sdkVersion = sighting.sdkVersion ?? sdkVersion;
    if (sighting.revision === null || sighting.revision <= (revision ?? -1)) continue;
    revision = sighting.revision;
    revisionSeenAt = sighting.at;
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
  };
}
