import type { Answer } from "./client.ts";
import { call, type CallOptions, type Json } from "./client.ts";
import { adminToken } from "./people.ts";

const TRACE_ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;

/**
 * A response in short: its status and, for an error, its code, such as `404 NOT_FOUND`.
 * Throws: Error when an error body does not have the fields of docs/api.md.
 */
export function outcome(answer: Answer<Json>): string {
  const { status, headers, body } = answer;
  if (status < 400) return String(status);
  const { error, code, traceId, details, ...rest } = body;
  const isValid =
    typeof error === "string" &&
    error !== "" &&
    typeof code === "string" &&
    TRACE_ID.test(traceId) &&
    traceId === headers.get("X-B3-TraceId") &&
    Array.isArray(details) === (code === "VALIDATION_ERROR") &&
    Object.keys(rest).length === 0;
  if (!isValid) throw new Error(`not a valid error body: ${status} ${JSON.stringify(body)}`);
  return `${status} ${code}`;
}

/** The sorted field names of a VALIDATION_ERROR. */
export const invalidFields = (answer: Answer<Json>): string[] =>
  answer.body.details.map(({ field }: { field: string }) => field).toSorted();

/** Sends a request as an administrator. */
export async function asAdmin<T = Json>(
  method: string,
  path: string,
  body?: unknown,
  headers: CallOptions["headers"] = {},
): Promise<Answer<T>> {
  return call<T>(method, path, { token: await adminToken(), body, headers });
}

/** The number of responses of each outcome. */
export function tally(answers: readonly Answer<Json>[]): Record<string, number> {
  const groups = Map.groupBy(answers, outcome);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]));
}
