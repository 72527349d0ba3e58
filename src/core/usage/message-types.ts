/** What travels through the usage queue, from the edge to the roll-up. */

/** An SDK instance as its last sign of life told; strings are at most `MAX_NAME` characters. */
export interface InstanceMark {
  readonly environmentId: number;
  /** "" when it gave none. */
  readonly appName: string;
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  /** The revision that it fetched or reported; null when it told none. */
  readonly revision: number | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The limit of application names, instance ids and SDK versions, in characters. */
export const MAX_NAME = 200;

/** How often flags were true and false: one report, or a part of a large one. */
export interface UsageReport {
  readonly kind: "report";
  /** Counted once, however often the queue brings it. */
  readonly id: string;
  readonly environmentId: number;
  /** Epoch milliseconds at the edge: which hour it counts for. */
  readonly at: number;
  /** Who reported, if that is known. */
  readonly instance: Pick<InstanceMark, "appName" | "instanceId"> | null;
  readonly evaluations: readonly (readonly [key: string, t: number, f: number])[];
}

/** Signs of life of one isolate's last seconds. Telling them twice changes nothing. */
export interface LastSeenMarks {
  readonly kind: "sightings";
  /** API keys, and when each was last used, epoch milliseconds. */
  readonly keys: readonly (readonly [id: number, at: number])[];
  readonly instances: readonly InstanceMark[];
}

export type UsageMessage = UsageReport | LastSeenMarks;

/** Last-seen marks are written at most this often for each key, flag and instance. */
export const MIN_MARK_INTERVAL_MS = 60_000;
