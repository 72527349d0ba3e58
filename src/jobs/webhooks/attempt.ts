import { callHeaders } from "../../core/logging/trace.ts";
import { chatBody } from "../../core/webhooks/chat.ts";
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
 * The maximum number of characters that are stored of a receiver's response or an error message.
 */
const KEPT_CHARACTERS = 1_000;

type AttemptDeps = Pick<JobDeps, "fetch" | "now" | "vault" | "publicUrl"> & {
  readonly webhooks: Pick<JobDeps["webhooks"], "allowHttp">;
};

/**
 * Makes one attempt at a webhook delivery. Does not call the receiver when its URL is not allowed.
 * Never throws: the field `error` of the result says what went wrong.
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

/**
 * The status that Cloudflare returns instead of a receiver when DNS does not know the host (error
 * 1016) or the host cannot be reached.
 */
const UNREACHABLE_STATUS = 530;

function errorOfStatus({ status }: Response): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver returned a redirect (${status}), which is not followed`;
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
