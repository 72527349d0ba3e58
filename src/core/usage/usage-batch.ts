import type { FlagUsage, InstanceMark } from "./message-types.ts";

/**
 * The usage of one hour that one isolate has added up for one SDK instance, for one application, or
 * for callers that name neither.
 */
export interface ReportedUsage {
  readonly environmentId: number;
  /** When the last of the reports arrived, epoch milliseconds. All reports are of the same hour. */
  readonly at: number;
  /** The application name; "" when the reports name none. */
  readonly appName: string;
  /** The instance id; "" when the reports name none. */
  readonly instanceId: string;
  readonly evaluations: readonly FlagUsage[];
}

/**
 * A usage batch: the usage and the last-seen marks that one isolate collected for one usage object
 * within seconds. Usage objects store this value as JSON, so its fields must keep their names.
 */
export interface UsageBatch {
  readonly kind: "batch";
  readonly projectId: number;
  /** The id of the isolate that sends the batch. No other isolate has this id. */
  readonly sender: string;
  /**
   * The number of the batch: 1 for the isolate's first batch to this usage object, and one more for
   * each further batch. The object counts each batch once.
   */
  readonly sequence: number;
  readonly reports: readonly ReportedUsage[];
  /** The ids of API keys, and when each key was last used, epoch milliseconds. */
  readonly keys: readonly (readonly [id: number, at: number])[];
  readonly instances: readonly InstanceMark[];
}

/** A message of the usage queue, which carries what an isolate could not deliver to a usage object. */
export interface UndeliveredBatch {
  readonly kind: "batch";
  readonly object: string;
  /** A `UsageBatch` or `DeletedFlags` as JSON. */
  readonly body: string;
}
