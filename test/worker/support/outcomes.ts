import { expect } from "vitest";
import { type Answer, call, type CallOptions, type Json } from "./client.ts";
import { adminToken } from "./people.ts";
import { wholeDatabase } from "./records.ts";

const TRACE_ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;

/**
 * The status of a response and, for an error, its code: `200`, `404 NOT_FOUND`.
 * Throws: Error when an error body does not have the fields of docs/use/api.md.
 */
export function outcome(answer: Answer<Json>): string {
  const { status, headers, body } = answer;
  if (status < 400) return String(status);
  // OFREP adds `errorCode`, `errorDetails` and `key`.
  const { error, code, traceId, errorCode: _, errorDetails: _d, key: _k, ...rest } = body;
  // The manifest has the message and the details in `error`.
  const { message, details } =
    typeof error === "string" ? { message: error, details: rest.details } : error;
  delete rest.details;
  // The errors of OAuth have a word in `error`, and the message in a field of their own.
  delete rest.error_description;
  const { approval, problem } = rest;
  delete rest.approval;
  delete rest.problem;
  const isValid =
    typeof message === "string" &&
    message !== "" &&
    typeof code === "string" &&
    TRACE_ID.test(traceId) &&
    traceId === headers.get("X-B3-TraceId") &&
    hasDetails(code, details) &&
    Array.isArray(approval?.environments) === (code === "APPROVAL_REQUIRED") &&
    (problem === undefined || /^[a-z-]+$/.test(problem)) &&
    Object.keys(rest).length === 0;
  if (!isValid) throw new Error(`not a valid error body: ${status} ${JSON.stringify(body)}`);
  return `${status} ${code}`;
}

/** Whether an error has details where it must. The 409 of a rebase has the fields without a choice. */
const hasDetails = (code: string, details: unknown): boolean =>
  Array.isArray(details) === (code === "VALIDATION_ERROR") ||
  (code === "CONFLICT" && Array.isArray(details));

/** The names of the fields in the details of an error response, sorted. */
export const invalidFields = (answer: Answer<Json>): string[] =>
  answer.body.details.map(({ field }: { field: string }) => field).toSorted();

/** Sends a request to the Worker as the administrator. */
export async function asAdmin<T = Json>(
  method: string,
  path: string,
  body?: unknown,
  headers: CallOptions["headers"] = {},
): Promise<Answer<T>> {
  return call<T>(method, path, { token: await adminToken(), body, headers });
}

/** The number of responses with each outcome, such as `{ "200": 3, "409 CONFLICT": 1 }`. */
export function tally(answers: readonly Answer<Json>[]): Record<string, number> {
  const groups = Map.groupBy(answers, outcome);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]));
}

/** Expects the error, and that the request has written nothing. */
export async function expectRefused(
  send: () => Promise<Answer<Json>>,
  expected: string,
  words: string,
): Promise<void> {
  const before = await wholeDatabase();
  const answer = await send();
  expect([outcome(answer), answer.body.error]).toEqual([expected, expect.stringContaining(words)]);
  expect(await wholeDatabase()).toEqual(before);
}
