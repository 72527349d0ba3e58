/** The messages of the usage queue, from the client API to the roll-up job. */

/** The last-seen mark of an SDK instance. Its texts have at most `MAX_NAME` characters. */
export interface InstanceMark {
  readonly environmentId: number;
  /** The application name; "" when the SDK sent none. */
  readonly appName: string;
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  /** The revision of the rules that the instance fetched or reported; null when it is unknown. */
  readonly revision: number | null;
  /** When the instance was seen, epoch milliseconds. */
  readonly at: number;
}

/** The greatest length of application names, instance ids and SDK versions, in characters. */
export const MAX_NAME = 200;

/**
 * A queue message with a usage report of an SDK, or with a part of a large one: how often flags
 * evaluated to true and to false.
 */
export interface UsageReport {
  readonly kind: "report";
  /**
   * The id of the queue message. The queue may deliver a message twice; the roll-up counts each id
   * once.
   */
  readonly id: string;
  readonly environmentId: number;
  /**
   * When the usage report arrived, epoch milliseconds. Its counts belong to the hour of this time.
   */
  readonly at: number;
  /** The reporting SDK instance; null when it is unknown. */
  readonly instance: Pick<InstanceMark, "appName" | "instanceId"> | null;
  /** For each flag: the key, how often the flag was true, and how often it was false. */
  readonly evaluations: readonly (readonly [key: string, t: number, f: number])[];
}

/**
 * A queue message with the last-seen marks that one isolate collected within seconds. Writing them
 * twice changes nothing. The old name `sightings` stays in the format, because messages of an
 * earlier release may still be in the queue.
 */
export interface LastSeenMarks {
  readonly kind: "sightings";
  /** The ids of API keys, and when each key was last used, epoch milliseconds. */
  readonly keys: readonly (readonly [id: number, at: number])[];
  readonly instances: readonly InstanceMark[];
}

/** A message of the usage queue. */
export type UsageMessage = UsageReport | LastSeenMarks;

/**
 * The least time between two writes of the last-seen mark of an API key, a flag or an SDK instance,
 * milliseconds. A newer revision of an instance is written earlier.
 */
export const MIN_MARK_INTERVAL_MS = 60_000;
