import { callHeaders } from "../../core/logging/trace.ts";
import { TimeoutError } from "../../core/lib/timeout.ts";
import { chatBody } from "../../core/webhooks/chat.ts";
import { retryAfterSeconds } from "../../core/webhooks/retry-delay.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  webhookBody,
  type WebhookEvent,
  webhookHeaders,
} from "../../core/webhooks/webhook.ts";
import { webhookUrlError } from "../../core/webhooks/url.ts";
import { newSpan } from "../../http/trace.ts";
import type { JobDeps } from "../deps.ts";
import type { Attempt, DeliveryRow } from "./queries.ts";

/** The most bytes that the service reads of a receiver's response. */
const MAX_RESPONSE_BYTES = 16_384;

/**
 * How long after the status of a response the service reads its body, milliseconds. With the timeout
 * of the attempt, the sum stays below `CLAIM_MS`.
 */
const BODY_TIMEOUT_MS = 2_000;

/** The maximum number of characters that are stored of a receiver's response or an error message. */
const KEPT_CHARACTERS = 1_000;

type AttemptDeps = Pick<JobDeps, "fetch" | "now" | "vault" | "publicUrl"> & {
  readonly webhooks: Pick<JobDeps["webhooks"], "allowHttp">;
};

/**
 * Makes one attempt at a webhook delivery. Does not call the receiver when its URL is not allowed.
 * The status of the response decides whether the attempt succeeded, whatever happens to its body.
 * Never throws: the field `error` of the result says what went wrong.
 */
export async function attempt(deps: AttemptDeps, row: DeliveryRow): Promise<Attempt> {
  const at = deps.now();
  const failed = (error: string) => ({
    at,
    status: null,
    durationMs: deps.now() - at,
    response: null,
    error,
    retryAfterSeconds: 0,
  });
  const urlError = webhookUrlError(row.url, deps.webhooks.allowHttp);
  if (urlError !== undefined) return failed(`The URL ${urlError}`);
  try {
    const response = await deps.fetch(row.url, await requestOf(deps, row, at));
    const now = deps.now();
    return {
      at,
      status: response.status,
      durationMs: now - at,
      response: await beginningOf(response),
      error: errorOfStatus(response),
      retryAfterSeconds: retryAfterSeconds(response.headers.get("Retry-After"), now),
    };
  } catch (error) {
    return failed(messageOf(error));
  }
}

async function requestOf(deps: AttemptDeps, row: DeliveryRow, now: number): Promise<RequestInit> {
  const data = JSON.parse(row.data) as DeliveryData;
  const { body, headers } =
    row.chat === null
      ? await webhookRequest(deps, { ...row, data }, now)
      : { body: chatBody(row.chat, { ...row, data }, deps.publicUrl), headers: CHAT_HEADERS };
  return {
    method: "POST",
    redirect: "manual",
    headers: { "User-Agent": "feature-flags-webhook/1", ...headers },
    body,
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  };
}

/** A chat service gets no signature, no header of the integration and no trace. */
const CHAT_HEADERS = { "Content-Type": "application/json" };

/** Returns the body and the headers of a request to a webhook receiver. */
async function webhookRequest(
  deps: AttemptDeps,
  row: WebhookEvent & Omit<DeliveryRow, "data">,
  now: number,
) {
  const sealed = JSON.parse(row.headers) as Record<string, string>;
  const custom = await Promise.all(
    Object.entries(sealed).map(async ([name, value]) => [name, await deps.vault.open(value)]),
  );
  const body = webhookBody(row);
  const secret = await deps.vault.open(row.secret);
  const previous = await previousSecretOf(deps, row);
  const secrets = previous === undefined ? [secret] : [secret, previous];
  return {
    body,
    headers: {
      ...(Object.fromEntries(custom) as Record<string, string>),
      ...webhookHeaders(secrets, row.eventId, body, now),
      ...callHeaders(newSpan({ traceId: row.traceId })),
    },
  };
}

/**
 * Returns the replaced signing secret while it still signs webhook calls. Also undefined if the
 * secret cannot be decrypted: an administrator may have replaced it for exactly this reason, and
 * deliveries must work again.
 */
const previousSecretOf = async (
  { vault }: AttemptDeps,
  { previousSecret }: Pick<DeliveryRow, "previousSecret">,
): Promise<string | undefined> =>
  previousSecret === null ? undefined : vault.open(previousSecret).catch(() => undefined);

type DeliveryData = Readonly<Record<string, unknown>>;

/**
 * Returns the first `KEPT_CHARACTERS` of a response body. Stops reading after `MAX_RESPONSE_BYTES` or
 * `BODY_TIMEOUT_MS`, and where the body is broken, and returns what it has by then; null if that is
 * nothing. Never throws.
 */
async function beginningOf({ body }: Response): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(BODY_TIMEOUT_MS)), BODY_TIMEOUT_MS);
  });
  let text = "";
  try {
    for (let bytes = 0; bytes < MAX_RESPONSE_BYTES;) {
      const { done, value } = await Promise.race([reader.read(), timeout]);
      if (done) return text;
      bytes += value.byteLength;
      if (text.length < KEPT_CHARACTERS) text += decoder.decode(value, { stream: true });
      text = text.slice(0, KEPT_CHARACTERS).toWellFormed();
    }
    return text;
  } catch {
    return text === "" ? null : text;
  } finally {
    clearTimeout(timer);
    // Does not wait: a receiver can keep the connection open.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * The status that Cloudflare returns instead of a receiver when DNS does not know the host (error
 * 1016) or the host cannot be reached.
 */
const UNREACHABLE_STATUS = 530;

/** The status with which a receiver ends its subscription (Standard Webhooks). */
export const GONE_STATUS = 410;

function errorOfStatus({ status }: Response): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver returned a redirect (${status}), which is not followed`;
  if (status === GONE_STATUS)
    return `The receiver returned ${status}, which ends the subscription. Enable the integration when the receiver accepts events again`;
  if (status === UNREACHABLE_STATUS)
    return `The host could not be resolved or reached (status ${status} of Cloudflare)`;
  return `The receiver returned ${status}`;
}

/**
 * Returns an error text for the owner of the receiver. The Workers runtime says "internal error"
 * when DNS does not know the host or when the TLS handshake fails, and "Network connection lost"
 * when the connection is refused or closed.
 */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "The request failed";
  if (error.name === "TimeoutError")
    return `The receiver did not respond within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
  const { message } = error;
  if (/^internal error/i.test(message))
    return "The host could not be resolved or reached, or its TLS certificate is not trusted";
  if (/^network connection lost/i.test(message))
    return "The receiver refused or closed the connection before it responded";
  return message.slice(0, KEPT_CHARACTERS);
}
