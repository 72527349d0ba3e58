import { chunked } from "../lib/chunks.ts";
import type { AppName } from "./app-names.ts";
import type { FlagUsage } from "./message-types.ts";
import type { SeenInstance } from "./presence.ts";
import type { Sender } from "./senders.ts";
import type { UsageBatch } from "./usage-batch.ts";

/** The maximum size of a list in an entry, characters of JSON, unless one item is longer. */
const MAX_LIST_LENGTH = 200_000;

export type InstanceUsage = readonly [
  appName: string,
  instanceId: string,
  usage: readonly FlagUsage[],
];
/** Usage of flags by an application. */
export type AppUsage = readonly [appName: string, usage: readonly FlagUsage[]];

/** Usage of one hour and environment that is not in the database yet. */
export interface HourEntry {
  readonly kind: "hour";
  readonly environmentId: number;
  /** The start of the hour, epoch milliseconds. */
  readonly hour: number;
  readonly flags: readonly FlagUsage[];
  readonly apps: readonly AppUsage[];
  readonly instances: readonly InstanceUsage[];
}

/** The usage of a completed hour, as one transaction of the database writes it. */
export interface HourWrite extends Omit<HourEntry, "kind" | "instances"> {
  readonly kind: "write";
  /** The id of the write. The database accepts each id once. */
  readonly id: string;
}

/** When flags, by key, and API keys, by id, were last used; epoch milliseconds. */
export interface LastUses {
  readonly flags: readonly (readonly [key: string, at: number])[];
  readonly keys: readonly (readonly [id: number, at: number])[];
}

/** The keys of deleted flags, and when each flag was deleted, epoch milliseconds. */
export interface DeletedFlags {
  readonly kind: "deleted";
  readonly flags: readonly (readonly [key: string, at: number])[];
}

/**
 * A part of the state. A usage object stores its state as a list of entries, so their fields must
 * keep their names. Entries of the same hour or write are added up. The order matters only for
 * `written`, which follows its `write`, and for `deleted`, which follows the usage that it removes.
 */
export type Entry =
  | UsageBatch
  | HourEntry
  | HourWrite
  | DeletedFlags
  | { readonly kind: "written"; readonly id: string; readonly at: number }
  | ({ readonly kind: "used" } & LastUses)
  | { readonly kind: "instances"; readonly list: readonly SeenInstance[] }
  | { readonly kind: "apps"; readonly list: readonly AppName[] }
  | { readonly kind: "senders"; readonly list: readonly (readonly [string, Sender])[] };

/** Returns a write in parts of limited size. */
export function* writeEntries({ flags, apps, ...write }: HourWrite): Generator<HourWrite> {
  for (const list of parts(flags)) yield { ...write, flags: list, apps: [] };
  for (const list of parts(appParts(apps))) yield { ...write, flags: [], apps: list };
}

/** Splits the usage of applications with much usage. */
export const appParts = (apps: readonly AppUsage[]): AppUsage[] =>
  apps.flatMap(([name, usage]) => parts(usage).map((list): AppUsage => [name, list]));

/** Splits a list so that each part has at most about `MAX_LIST_LENGTH` characters of JSON. */
export const parts = <T>(items: readonly T[]): T[][] =>
  chunked(items, (item) => JSON.stringify(item).length + 1, { size: MAX_LIST_LENGTH });
