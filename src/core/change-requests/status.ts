/** Whether a change request can still be applied. */
export const REQUEST_STATES = ["open", "applied", "closed"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** What happens to change requests, as a metric counts it. */
export const REQUEST_OUTCOMES = [
  "opened",
  "reviewed",
  "applied",
  "outdated",
  "blocked",
  "closed",
] as const;

export const VERDICTS = ["approve", "reject"] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What an open request waits for.
 * - `blocked`: a target was archived or deleted, or the service has given up a schedule.
 * - `outdated`: what the request is based on has changed; it needs a rebase.
 * - `rejected`: somebody who may approve has rejected it.
 * - `needs-approval`: it has fewer approvals than its environments require.
 * - `scheduled`: it can be applied, and the service does so at its time.
 * - `approved`: it can be applied.
 */
export const REQUEST_STATUSES = [
  "blocked",
  "outdated",
  "rejected",
  "needs-approval",
  "scheduled",
  "approved",
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

interface Progress {
  /** Whether every target exists and can be changed. */
  readonly isComplete: boolean;
  /** Whether all that the request is based on is as it was. */
  readonly isCurrent: boolean;
  /** Whether the service has given up the schedule of the request. */
  readonly isGivenUp: boolean;
  /** Whether the service will apply the request. */
  readonly isPlanned: boolean;
  /** How many approvals the environments require: the highest number of all. */
  readonly required: number;
  /** How many people who may approve in all of these environments have approved. */
  readonly approvals: number;
  /** How many of these people have rejected it. */
  readonly rejections: number;
}

/** Returns what an open request waits for. */
export function statusOf({
  isComplete,
  isCurrent,
  isGivenUp,
  isPlanned,
  required,
  approvals,
  rejections,
}: Progress): RequestStatus {
  if (!isComplete) return "blocked";
  if (isGivenUp && isCurrent) return "blocked";
  // A rejection stays the reason, also if something has changed since.
  if (required > 0 && rejections > 0) return "rejected";
  if (!isCurrent) return "outdated";
  if (approvals < required) return "needs-approval";
  return isPlanned ? "scheduled" : "approved";
}
