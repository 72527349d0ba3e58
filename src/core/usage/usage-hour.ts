import { addUsage, type FlagCounts, removeUsage, usageList } from "./flag-counts.ts";
import { type FlagUsage, OTHER_APP } from "./message-types.ts";
import {
  type AppUsage,
  appParts,
  type HourEntry,
  type InstanceUsage,
  parts,
} from "./usage-entries.ts";

/**
 * The most counts of flags and variants by application in one environment and hour, so that a write fits into
 * one transaction. Usage beyond the limit counts as usage of `OTHER_APP`, without variants that are new.
 */
export const MAX_APP_COUNTS = 20_000;

/**
 * The most counts of flags and variants in one environment and hour. Beyond the limit, flags are
 * counted, and variants that are new are not: anybody can invent variants with a FRONTEND key.
 */
export const MAX_FLAG_COUNTS = 50_000;

interface Instance {
  readonly appName: string;
  readonly instanceId: string;
  readonly flags: FlagCounts;
}

/** The usage of one environment in an hour that is not complete. */
export interface Hour {
  /** The id that the write of the hour will have, if a reader knows it. */
  writeId: string | null;
  readonly environmentId: number;
  readonly hour: number;
  readonly flags: FlagCounts;
  readonly apps: Map<string, FlagCounts>;
  /** The number of counts of flags and variants in `flags`, `apps` and `instances`. */
  flagCounts: number;
  appCounts: number;
  instanceCounts: number;
  /** By `nameOf`. */
  readonly instances: Map<string, Instance>;
}

export function addFlags(hour: Hour, usage: readonly FlagUsage[]): void {
  hour.flagCounts += addUsage(hour.flags, usage, hour.flagCounts < MAX_FLAG_COUNTS);
}

export function addApp(hour: Hour, name: string, usage: readonly FlagUsage[]): void {
  if (hour.appCounts < MAX_APP_COUNTS) {
    hour.appCounts += addUsage(countsOf(hour.apps, name), usage);
    return;
  }
  const known = hour.apps.get(name) ?? new Map();
  addUsage(known, knownUsage(known, usage), false);
  const others = usage.filter(([key]) => !known.has(key));
  if (others.length > 0) addUsage(countsOf(hour.apps, OTHER_APP), others, false);
}

export function removeFlag(hour: Hour, key: string): void {
  hour.flagCounts -= removeUsage(hour.flags, key);
  for (const [name, counts] of hour.apps) {
    const removed = removeUsage(counts, key);
    // The flags of this application are not among the counts: see `addApp`.
    if (name !== OTHER_APP) hour.appCounts -= removed;
    if (counts.size === 0) hour.apps.delete(name);
  }
  for (const [name, { flags }] of hour.instances) {
    hour.instanceCounts -= removeUsage(flags, key);
    if (flags.size === 0) hour.instances.delete(name);
  }
}

/** Returns the usage of flags that the counts have. */
export const knownUsage = (counts: FlagCounts, usage: readonly FlagUsage[]): FlagUsage[] =>
  usage.filter(([key]) => counts.has(key));

function countsOf(counts: Map<string, FlagCounts>, name: string): FlagCounts {
  let found = counts.get(name);
  if (!found) {
    found = new Map();
    counts.set(name, found);
  }
  return found;
}

export function usageOfFlag(counts: FlagCounts, key: string): FlagUsage[] {
  const found = counts.get(key);
  return found ? usageList(new Map([[key, found]])) : [];
}

export const appList = (apps: Hour["apps"]): AppUsage[] =>
  Array.from(apps, ([name, counts]): AppUsage => [name, usageList(counts)]);

/** Returns the usage by instance in lists of limited size, in order of the ids. */
export function instanceLists(instances: Hour["instances"]): InstanceUsage[][] {
  const all = Array.from(instances.values()).toSorted(
    ({ instanceId: one }, { instanceId: other }) => (one < other ? -1 : Number(one > other)),
  );
  return parts(
    all.flatMap(({ appName, instanceId, flags }) =>
      parts(usageList(flags)).map((usage): InstanceUsage => [appName, instanceId, usage]),
    ),
  );
}

/** Returns the usage of an hour in entries of limited size. */
export function* hourEntries({
  environmentId,
  hour,
  flags,
  apps,
  instances,
}: Hour): Generator<HourEntry> {
  const entry = { kind: "hour" as const, environmentId, hour, flags: [], apps: [], instances: [] };
  for (const list of parts(usageList(flags))) yield { ...entry, flags: list };
  for (const list of parts(appParts(appList(apps)))) yield { ...entry, apps: list };
  for (const list of instanceLists(instances)) yield { ...entry, instances: list };
}
