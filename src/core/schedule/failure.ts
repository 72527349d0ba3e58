import { ApiError } from "../errors/api-error.ts";

/**
 * What a planned change does after an error.
 * - `retry`: the error is temporary; the service tries again.
 * - `wait`: approvals are missing; the service tries again.
 * - `outdated`: the change was planned on something that has changed.
 * - `blocked`: the service does not try again.
 */
export type Failure = "retry" | "wait" | "outdated" | "blocked";

/** Returns what a planned change does after an error. An error of the service itself is temporary. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return "retry";
  if (error.code === "APPROVAL_REQUIRED") return "wait";
  return error.code === "OUTDATED" ? "outdated" : "blocked";
}
