import { HOUR_MS } from "../lib/time.ts";
import { type InstanceMark, type UsageMessage, type UsageReport } from "./message-types.ts";

/**
 * How often a flag was true (`t`) and false (`f`) in an hour, and when a report last contained it,
 * epoch milliseconds.
 */
interface FlagTotal {
  readonly t: number;
  readonly f: number;
  readonly lastAt: number;
}

/** The usage totals of one environment, or of one SDK instance, in one hour. */
export interface HourTotal {
  readonly environmentId: number;
  /** The start of the hour, epoch milliseconds. */
  readonly hour: number;
  /** The totals of the flags, by flag key. */
  readonly flags: Map<string, FlagTotal>;
}

type Instance = NonNullable<UsageReport["instance"]>;

/** All last-seen marks of one SDK instance, merged. Times are epoch milliseconds. */
export interface SeenInstance extends Omit<InstanceMark, "at"> {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The time of the first mark with this revision; null when `revision` is null. */
  readonly revisionSeenAt: number | null;
}

/** The totals of a list of usage messages. */
export interface UsageTotals {
  /**
   * The ids of the usage reports, each once. A report that the queue delivers twice is counted
   * once.
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
 * Adds a usage report to the total of its hour. `who` is the SDK instance in totals by instance,
 * and empty in totals of the environment.
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
  for (const [key, t, f] of evaluations) {
    const before = total.flags.get(key) ?? { t: 0, f: 0, lastAt: at };
    const lastAt = Math.max(before.lastAt, at);
    total.flags.set(key, { t: before.t + t, f: before.f + f, lastAt });
  }
}

const nameOf = ({ environmentId, instanceId, appName }: InstanceMark) =>
  JSON.stringify([environmentId, instanceId, appName]);

/** Merges the last-seen marks of one SDK instance, which may be in any order. */
function seenInstance(marks: readonly InstanceMark[]): SeenInstance {
  const inOrder = marks.toSorted((one, other) => one.at - other.at);
  const [first] = inOrder as [InstanceMark];
  const { environmentId, instanceId, appName, at: firstSeenAt } = first;
  let { sdkVersion, revision, at: lastSeenAt } = first;
  let revisionSeenAt = revision === null ? null : lastSeenAt;
  for (const mark of inOrder) {
    lastSeenAt = mark.at;
    sdkVersion = mark.sdkVersion ?? sdkVersion;
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
  };
}
