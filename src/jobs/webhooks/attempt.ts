import { callHeaders } from "../../core/logging/trace.ts";
import { ATTEMPT_TIMEOUT_MS, webhookBody, webhookHeaders } from "../../core/webhooks/webhook.ts";
import { webhookUrlError } from "../../core/webhooks/url.ts";
import { newSpan } from "../../http/trace.ts";
import type { JobDeps } from "../deps.ts";
import type { Attempt, DeliveryRow } from "./queries.ts";

/** After this many bytes, the rest of a receiver's response is not read. */
const MAX_RESPONSE_BYTES = 16_384;

/** The most characters of a receiver's response or an error message that are stored. */
const KEPT_CHARACTERS = 1_000;

type AttemptDeps = Pick<JobDeps, "fetch" | "now" | "vault"> & {
  readonly webhooks: Pick<JobDeps["webhooks"], "allowHttp">;
};

/**
 * Makes one attempt at a webhook delivery. Does not call the receiver when the integration is
 * switched off or its URL is not allowed. Never throws: `error` of the result says what went wrong.
 */
export async function attempt(deps: AttemptDeps, row: DeliveryRow): Promise<Attempt> {
  const at = deps.now();
  const ended = (status: number | null, response: string | null, error: string | null) => ({
    at,
    status,
    durationMs: deps.now() - at,
    response,
    error,
  });
  if (row.callable === 0) return ended(null, null, "The integration is switched off");
  const urlError = webhookUrlError(row.url, deps.webhooks.allowHttp);
  if (urlError !== undefined) return ended(null, null, `The URL ${urlError}`);
  let status: number | null = null;
  try {
    const request = await requestOf(deps, row, at);
    const response = await deps.fetch(row.url, request);
    ({ status } = response);
    const text = await beginningOf(response);
    return ended(status, text, errorOfStatus(response));
  } catch (error) {
    return ended(status, null, messageOf(error));
  }
}

async function requestOf(deps: AttemptDeps, row: DeliveryRow, now: number): Promise<RequestInit> {
  const sealed = JSON.parse(row.headers) as Record<string, string>;
  const custom = await Promise.all(
    Object.entries(sealed).map(async ([name, value]) => [name, await deps.vault.open(value)]),
  );
  const data = JSON.parse(row.data) as DeliveryData;
  const body = webhookBody({ ...row, data });
  const secret = await deps.vault.open(row.secret);
  return {
    method: "POST",
    redirect: "manual",
    headers: {
      "User-Agent": "feature-flags-webhook/1",
      ...(Object.fromEntries(custom) as Record<string, string>),
      ...webhookHeaders(secret, row.eventId, body, now),
      ...callHeaders(newSpan({ traceId: row.traceId })),
    },
    body,
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  };
}

type DeliveryData = Readonly<Record<string, unknown>>;

/**
 * Returns the first `KEPT_CHARACTERS` of a response body. Stops reading after `MAX_RESPONSE_BYTES`.
 */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (bytes < MAX_RESPONSE_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text;
    bytes += value.byteLength;
    if (text.length < KEPT_CHARACTERS) text += decoder.decode(value, { stream: true });
    text = text.slice(0, KEPT_CHARACTERS);
  }
  await reader.cancel();
  return text;
}

function errorOfStatus({ status }: Response): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver returned a redirect (${status}), which is not followed`;
  return `The receiver returned ${status}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "The request failed";
  if (error.name === "TimeoutError")
    return `The receiver did not respond within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
  return error.message.slice(0, KEPT_CHARACTERS);
}
