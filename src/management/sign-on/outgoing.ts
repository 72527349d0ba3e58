import { providerUrlError } from "../../core/sign-on/issuer.ts";
import { providerFault } from "../../core/errors/sign-on-problem.ts";

/** How long a provider may take for a response, milliseconds. */
const TIMEOUT_MS = 5_000;

/** The maximum size of a response of a provider, bytes. */
const MAX_BYTES = 256 * 1024;

/** How long the owner of an OAuth client may take for its metadata document, and its maximum size. */
export const DOCUMENT_LIMITS: Limits = { timeoutMs: 3_000, bytes: 5 * 1024 };

interface Limits {
  readonly timeoutMs: number;
  /** The maximum size of a response. */
  readonly bytes: number;
}

/** What a request to a provider may have. */
export interface OutgoingInit {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: BodyInit | null | undefined;
}
export type Outgoing = (url: string, init?: OutgoingInit) => Promise<Response>;

/**
 * Returns the function that sends every request to an identity provider, and for the metadata document of an
 * OAuth client. The function follows no redirect, and returns the response when its whole body has been read.
 * Throws: `SignOnError` for a URL that is not public, a redirect, a timeout, an error of the server (5xx, 429),
 * or a response above the limit.
 */
export const outgoing =
  (allowHttp: boolean, limits: Limits = { timeoutMs: TIMEOUT_MS, bytes: MAX_BYTES }): Outgoing =>
  async (url, init = {}) => {
    const { host } = new URL(url);
    const error = providerUrlError(url, allowHttp);
    if (error !== undefined) throw providerFault(`${host} ${error}`, "misconfigured");
    const response = await answerOf(host, () =>
      fetch(url, {
        ...requestOf(init),
        redirect: "manual",
        signal: AbortSignal.timeout(limits.timeoutMs),
      }),
    );
    if (response.status >= 300 && response.status < 400)
      throw providerFault(`${host} returned the redirect ${response.status}`, "misconfigured");
    if (response.status >= 500 || response.status === 429)
      throw providerFault(`${host} returned ${response.status}`, "unreachable");
    const text = await answerOf(host, () => limitedText(response, limits.bytes));
    if (text === undefined) throw providerFault(`${host} returned more than ${limits.bytes} bytes`);
    const type = response.headers.get("Content-Type") ?? "text/plain";
    const { status } = response;
    return new Response(status === 204 ? null : text, {
      status,
      headers: { "Content-Type": type },
    });
  };

/** Returns what `fetch` needs of a request. The libraries also pass a signal, which does not count. */
const requestOf = ({ method, headers, body }: OutgoingInit): RequestInit => ({
  ...(method !== undefined && { method }),
  ...(headers !== undefined && { headers }),
  ...(body !== undefined && { body }),
});

async function answerOf<T>(host: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const cause = error instanceof Error ? error.message : "";
    throw providerFault(`${host} does not respond: ${cause}`, "unreachable");
  }
}

/** Returns the body as a text; undefined if it has more than `maxBytes`. */
async function limitedText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Returns the JSON of a response. Throws: `SignOnError` for another status than 200, and for no JSON. */
export async function jsonFrom(send: Outgoing, url: string, init?: OutgoingInit): Promise<unknown> {
  const response = await send(url, init);
  const { host } = new URL(url);
  if (response.status !== 200)
    throw providerFault(`${host} returned ${response.status}`, "misconfigured");
  try {
    return await response.json();
  } catch {
    throw providerFault(`${host} returned no JSON`, "misconfigured");
  }
}
