/** What SDKs report, and its limits. */

/** A last-seen mark: when an SDK instance was seen. Each text has at most `MAX_NAME` characters. */
export interface InstanceMark {
  readonly environmentId: number;
  /** The application name; "" when the SDK sent none. */
  readonly appName: string;
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  /** The revision of the rules that the instance fetched or reported; null when it is unknown. */
  readonly revision: number | null;
  /** The features that the SDK knows, such as `rules`; undefined when they are unknown. */
  readonly sdkFeatures?: readonly string[] | undefined;
  /**
   * When the instance last fetched rules to evaluate them itself, epoch milliseconds; undefined
   * when that is unknown.
   */
  readonly rulesFetchedAt?: number | undefined;
  /** When the instance was seen, epoch milliseconds. */
  readonly at: number;
}

/**
 * The most application names that usage reports without an SDK instance may add to an environment
 * within the 7 days that they are kept. Anybody can invent names with a FRONTEND key. Reports of
 * further applications count as `OTHER_APP`.
 */
export const MAX_APPS = 50;
export const OTHER_APP = "other";

/**
 * The most SDK instances that an environment keeps. A caller with a SERVER key can invent instance
 * ids; new instances then replace the least recently seen ones.
 */
export const MAX_INSTANCES = 10_000;

/** The maximum length of application names, instance ids and SDK versions, in characters. */
export const MAX_NAME = 200;

/** How often each variant of a flag was served, by variant key. */
export type VariantCounts = Readonly<Record<string, number>>;

/**
 * The usage of one flag: the key, how often the flag was true, how often it was false, and how
 * often each variant was served. A report without variants has only the first three items.
 */
export type FlagUsage = readonly [key: string, t: number, f: number, variants?: VariantCounts];

/**
 * The minimum time between two last-seen marks of an API key or an SDK instance by one isolate, and
 * between two writes of the last use of a flag or an API key, milliseconds. The mark of an SDK
 * instance is sent earlier if its revision is newer.
 */
export const MIN_MARK_INTERVAL_MS = 60_000;
