import { ApiError } from "./api-error.ts";
import type { ErrorBody } from "./types.ts";

/** Longer than any answer the service gives; a lost connection must not hold the page forever. */
const TIMEOUT_MS = 20_000;

export interface SendOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  accessToken?: string;
}

/**
 * One exchange with the management API, as it is: no session, no retry.
 * Takes a path below `/api/v1`; gives the JSON body, undefined when there is none.
 * Throws ApiError, or the reason of `signal` when the caller aborted.
 */
export async function send<T>(path: string, options: SendOptions = {}): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const headers = new Headers({ accept: "application/json" });
  const init: RequestInit = {
    method: options.method ?? "GET",
    headers,
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  };
  if (options.accessToken) headers.set("authorization", `Bearer ${options.accessToken}`);
  if (options.body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(options.body);
  }

  const response = await exchange(`/api/v1${path}`, init, options.signal);
  if (!response.ok) throw toApiError(response);
  // The API description vouches for the shape.
  const body: T = parseJson(response.text);
  if (body === undefined && response.text !== "") throw toApiError(response);
  return body;
}

interface Answer {
  ok: boolean;
  status: number;
  headers: Headers;
  text: string;
}

async function exchange(url: string, init: RequestInit, caller?: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(url, init);
    const { ok, status, headers } = response;
    return { ok, status, headers, text: await response.text() };
  } catch (error) {
    caller?.throwIfAborted();
    const message = "The server cannot be reached.";
    throw new ApiError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  }
}

/** Gives undefined for what is not JSON, such as the error page of a proxy. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toApiError({ status, headers, text }: Answer): ApiError {
  const body: unknown = parseJson(text);
  const fields = isErrorBody(body)
    ? { ...body, message: body.error }
    : { code: "UNREADABLE", message: `The server gave an unreadable answer (${status}).` };
  return new ApiError({ ...fields, status, retryAfter: retryAfter(headers.get("retry-after")) });
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && "error" in body;
}

/** RFC 9110, 10.2.3: whole seconds or an HTTP date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
