/** Whether a change request can still be applied. */
export const REQUEST_STATES = ["open", "applied", "closed"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** What happens to change requests, as a metric counts it. */
export const REQUEST_OUTCOMES = ["opened", "reviewed", "applied", "closed"] as const;

export const VERDICTS = ["approve", "reject"] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What an open request waits for.
 * - `blocked`: a target does not exist any more, so the request can never be applied.
 * - `outdated`: what the request is based on has changed; it needs a rebase.
 * - `rejected`: somebody who may approve has rejected it.
 * - `needs-approval`: it has fewer approvals than its environments require.
 * - `approved`: it can be applied.
 */
export const REQUEST_STATUSES = [
  "blocked",
  "outdated",
  "rejected",
  "needs-approval",
  "approved",
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

interface Progress {
  /** Whether every target exists. */
  readonly isComplete: boolean;
  /** Whether all that the request is based on is as it was. */
  readonly isCurrent: boolean;
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
  required,
  approvals,
  rejections,
}: Progress): RequestStatus {
  if (!isComplete) return "blocked";
  if (!isCurrent) return "outdated";
  if (required === 0) return "approved";
  if (rejections > 0) return "rejected";
  return approvals < required ? "needs-approval" : "approved";
}
