import { ApiError } from "./api-error.ts";
import type { ErrorBody } from "./types.ts";

/**
 * The timeout of a request in milliseconds, so that a lost connection does not block the page
 * forever.
 */
const TIMEOUT_MS = 20_000;

/**
 * Sends a request as it is: adds no access token, and does not retry.
 * Throws: ApiError if the response is an error, is not JSON or does not arrive. If the caller
 * aborts the request, throws the abort reason.
 */
export async function sendRequest(request: Request): Promise<Response> {
  const response = await attempt(request);
  if (!response.ok) throw await toApiError(response);
  if (response.status !== 204 && !isJson(response)) throw unreadable(response);
  return response;
}

/**
 * Opens an event stream, which has no timeout.
 * Throws: ApiError if the response is an error or no event stream; the error of `fetch` if no
 * response arrives.
 */
export async function sendStreamRequest(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (!response.ok) throw await toApiError(response);
  if (response.headers.get("Content-Type") !== "text/event-stream") throw unreadable(response);
  return response;
}

async function attempt(request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    return await fetch(request, { signal });
  } catch (error) {
    request.signal.throwIfAborted();
    const message = "The server cannot be reached.";
    throw new ApiError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  }
}

/**
 * Whether a successful response is JSON or a 202, which has no body. Any other response does not
 * come from the service, but for example from a proxy.
 */
const isJson = ({ headers, status }: Response) =>
  status === 202 || (headers.get("Content-Type") ?? "").includes("json");

function unreadable({ status }: Response): ApiError {
  const message = `The server sent a response that the dashboard cannot read (status ${status}).`;
  return new ApiError({ status, code: "UNREADABLE", message });
}

async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!isErrorBody(body)) return unreadable(response);
  const { status, headers } = response;
  const { error: message, ...fields } = body;
  return new ApiError({
    ...fields,
    message,
    status,
    retryAfter: retryAfter(headers.get("Retry-After")),
  });
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && "error" in body;
}

/**
 * Parses the `Retry-After` header, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3).
 * Returns the seconds from now, 0 for a date that has passed, and undefined for any other value.
 */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
