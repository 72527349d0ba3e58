import { retryAfter } from "./backoff.ts";
import { FlagClientError } from "./failure.ts";
import type { Ports } from "./ports.ts";
import { SDK_VERSION } from "./version.ts";

/** The names by which a client identifies itself to the service. */
export interface Identity {
  readonly appName: string | undefined;
  /**
   * Returns the id of the instance. Called only at the first request, because a Worker may not make
   * random ids before that.
   */
  readonly instanceId: () => string;
}

export interface TransportOptions {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly identity: Identity;
  /** After this time without a complete response, a request fails, milliseconds. */
  readonly timeout: number;
}

/** A request to the service. */
export interface Call {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body, which is sent as JSON with POST. Undefined: the request is a GET. */
  readonly body?: unknown;
}

/** A response with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * The error of an attempt that failed. `retryAfter`: the delay that the service demands,
 * milliseconds.
 */
export class CallError extends FlagClientError {
  readonly retryAfter: number | undefined;

  constructor(error: FlagClientError, delay?: number) {
    super(error.code, error.message, {
      cause: error.cause,
      ...(error.status !== undefined && { status: error.status }),
    });
    this.retryAfter = delay;
  }
}

/**
 * The most bytes of a response. The rules of an environment have a few megabytes, and the service
 * itself keeps at most 32 MB of rules in memory.
 */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Sends requests to the service, and ends them all when the client is closed. */
export class Transport {
  readonly #ports: Ports;
  readonly #options: TransportOptions;
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  constructor(ports: Ports, options: TransportOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get identity(): Identity {
    return this.#options.identity;
  }

  /**
   * Sends a request and reads the whole response. Throws: CallError, also for a redirect and for a
   * status above 399.
   */
  async send(call: Call): Promise<Answer> {
    const controller = this.#begin();
    try {
      return await this.#inTime(controller, async () => {
        const response = await this.#fetch(call, controller.signal);
        const text = await raced(textOf(response, controller.signal), controller.signal);
        this.#assertStatus(response);
        if (text === undefined)
          throw this.#invalid(`has more than ${MAX_RESPONSE_BYTES / 1024 ** 2} MB`);
        return { status: response.status, headers: response.headers, text };
      });
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Opens an event stream. The caller reads `body`, and then calls `end`. Throws: CallError. */
  async open(call: Call): Promise<{ body: ReadableStream<Uint8Array>; end: () => void }> {
    const controller = this.#begin();
    const end = () => {
      this.#open.delete(controller);
      controller.abort();
    };
    try {
      return await this.#inTime(controller, async () => {
        const response = await this.#fetch(call, controller.signal);
        if (!response.ok) await raced(textOf(response, controller.signal), controller.signal);
        this.#assertStatus(response);
        const type = response.headers.get("Content-Type") ?? "";
        if (response.body === null || !type.startsWith("text/event-stream"))
          throw this.#invalid("is not an event stream");
        return { body: response.body, end };
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Does `work`, and aborts it after the timeout. Throws: CallError. */
  async #inTime<T>(controller: AbortController, work: () => Promise<T>): Promise<T> {
    const { clock } = this.#ports;
    let isLate = false;
    const timer = clock.setTimeout(() => {
      isLate = true;
      controller.abort();
    }, this.#options.timeout);
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error, isLate);
    } finally {
      clock.clearTimeout(timer);
    }
  }

  /** Ends all requests. Requests that begin afterwards fail. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#open) controller.abort();
    this.#open.clear();
  }

  /** Returns the error for a response that does not have the form of the service's responses. */
  #invalid(what: string): FlagClientError {
    const { url } = this.#options;
    const message = `The response of ${url} ${what}: is it the address of the service?`;
    return new FlagClientError("INVALID_RESPONSE", message);
  }

  #begin(): AbortController {
    const controller = new AbortController();
    if (this.#isClosed) controller.abort();
    else this.#open.add(controller);
    return controller;
  }

  /** Calls `fetch`. An abort ends the call, even if the given `fetch` ignores its signal. */
  #fetch({ path, headers, body }: Call, signal: AbortSignal): Promise<Response> {
    const { url, key, identity } = this.#options;
    const all = new Headers({
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${key}`,
      ...named("X-Instance-Id", identity.instanceId()),
      "X-Sdk-Version": SDK_VERSION,
      // Tells the service that the client evaluates ordered rules.
      "X-Sdk-Features": "rules",
      ...named("X-App-Name", identity.appName),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    });
    // Does not follow redirects. A redirect would carry the key to another address, and turn a
    // report into a GET.
    const init: RequestInit = { headers: all, signal, redirect: "manual" };
    if (body !== undefined) Object.assign(init, { method: "POST", body: JSON.stringify(body) });
    // Takes `fetch` out of the object, because `fetch` of some runtimes must not be called as a
    // method.
    const { fetch } = this.#ports;
    return raced(fetch(`${url}${path}`, init), signal);
  }

  #assertStatus({ status, headers }: Response): void {
    const { url } = this.#options;
    // Treats the status 0 as a redirect, because browsers and Deno hide the status of a redirect.
    if (status === 0 || (status >= 300 && status < 400 && status !== 304)) {
      const message = `${url} redirects: configure the address to which it redirects`;
      throw new FlagClientError("INVALID_RESPONSE", message, status === 0 ? {} : { status });
    }
    if (status < 400) return;
    const [code, message] = explain(status, url);
    const delay = retryAfter(headers, this.#ports.clock.now());
    throw new CallError(new FlagClientError(code, message, { status }), delay);
  }

  #failure(error: unknown, isLate: boolean): CallError {
    const { url, timeout } = this.#options;
    if (error instanceof CallError) return error;
    if (error instanceof FlagClientError) return new CallError(error);
    if (isLate) {
      const message = `${url} has not responded within ${timeout} ms`;
      return new CallError(new FlagClientError("TIMEOUT", message));
    }
    if (this.#isClosed)
      return new CallError(new FlagClientError("CLOSED", "The client was closed"));
    const message = `${url} cannot be reached: check the address and the network`;
    return new CallError(new FlagClientError("UNREACHABLE", message, { cause: error }));
  }
}

/**
 * Returns a header with the text; no header if the text cannot be in one. Usage reports also have
 * the text in their body.
 */
const named = (name: string, text: string | undefined): Record<string, string> =>
  text !== undefined && /^[\x20-\x7e]{1,200}$/.test(text) ? { [name]: text } : {};

/** Returns the error code and the message for a status. */
function explain(status: number, url: string): readonly [FlagClientError["code"], string] {
  switch (status) {
    case 401:
      return ["UNAUTHORIZED", `${url} does not know the key: it is wrong, or it was deleted`];
    case 403:
      return ["FORBIDDEN", "The key may not read rules: use a key of the type SERVER"];
    case 404:
      return ["NOT_FOUND", `${url} is not the address of the service: it answers 404`];
    case 429:
      return ["RATE_LIMITED", `${url} answers 429: too many requests`];
    default:
      return ["UNAVAILABLE", `${url} answers ${status}`];
  }
}

/**
 * Reads the body of a response. Returns undefined when it has more than `MAX_RESPONSE_BYTES`. Ends
 * with the part that has arrived when `signal` fires.
 */
async function textOf({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) {
        cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Returns the result of `work`, or throws as soon as `signal` fires. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("aborted"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
