/** The messages of the usage queue, from the client API to the roll-up job. */

/** The state of an SDK instance at one moment. Strings have at most `MAX_NAME` characters. */
export interface InstanceMark {
  readonly environmentId: number;
  /** "" when the SDK sent none. */
  readonly appName: string;
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  /** The revision that the instance fetched or reported; null when it is not known. */
  readonly revision: number | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The limit of application names, instance ids and SDK versions, in characters. */
export const MAX_NAME = 200;

/** How often flags were true and false: one report of an SDK, or a part of a large one. */
export interface UsageReport {
  readonly kind: "report";
  /** The queue may deliver a message twice; the roll-up counts each id once. */
  readonly id: string;
  readonly environmentId: number;
  /** When the report arrived, epoch milliseconds. It counts for this hour. */
  readonly at: number;
  /** The reporting instance, if it is known. */
  readonly instance: Pick<InstanceMark, "appName" | "instanceId"> | null;
  /** For each flag, how often it was true and false. */
  readonly evaluations: readonly (readonly [key: string, t: number, f: number])[];
}

/**
 * The last-seen marks that one isolate gathered within seconds. Idempotent. The old name `sightings`
 * stays on the wire, because messages of an earlier release may still be in the queue.
 */
export interface LastSeenMarks {
  readonly kind: "sightings";
  /** API keys, and when each was last used, epoch milliseconds. */
  readonly keys: readonly (readonly [id: number, at: number])[];
  readonly instances: readonly InstanceMark[];
}

export type UsageMessage = UsageReport | LastSeenMarks;

/** The least time between two writes of the same key's, flag's or instance's last-seen mark. */
export const MIN_MARK_INTERVAL_MS = 60_000;
