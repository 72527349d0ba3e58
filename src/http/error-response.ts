import { HTTPException } from "hono/http-exception";
import { ApiError, type ErrorStatus, notJson } from "../core/errors/api-error.ts";
import { isUnavailable } from "../core/errors/unavailable-error.ts";
import { traceHeaders } from "../core/logging/trace.ts";
import { logError } from "./log.ts";
import { type SecretBearingRequest, secretsOfRequest } from "./request-secrets.ts";
import { API_HEADERS } from "./security-headers.ts";
import { ensureTrace, type TraceContext } from "./trace.ts";

interface ErrorContext extends TraceContext {
  readonly req: SecretBearingRequest;
  json(body: object, status: ErrorStatus, headers: Record<string, string>): Response;
}

export type RenderError<C> = (error: ApiError, traceId: string, c: C) => object;

/** Returns the error body of the API, as the OpenAPI component `Error` describes it. */
export const apiErrorBody = (
  { message, code, details, approval, problem }: ApiError,
  traceId: string,
): object => ({
  error: message,
  code,
  traceId,
  ...(details && { details }),
  ...(approval && { approval }),
  ...(problem && { problem }),
});

/** The header of a 503: the caller should wait 5 seconds. A short outage usually ends within this time. */
const RETRY_AFTER = { "Retry-After": "5" };

/**
 * Converts any error to a response. Every error response is made here. A 500 contains the trace id
 * and a fixed text, and nothing about the cause.
 */
export function errorResponse<C extends ErrorContext>(
  error: unknown,
  c: C,
  render: RenderError<C> = apiErrorBody,
): Response {
  const known = toApiError(error);
  const trace = ensureTrace(c);
  const { traceId } = trace;
  if (!known) {
    const secrets = secretsOfRequest(c.req);
    logError("ERROR", "app.http", { traceId, error, secrets, withStack: true });
  }
  const shown = known ?? replacement(error, c.req.raw.method);
  const headers = shown.status === 503 ? { ...RETRY_AFTER, ...shown.headers } : shown.headers;
  return c.json(render(shown, traceId, c), shown.status, {
    ...API_HEADERS,
    ...traceHeaders(trace),
    ...headers,
  });
}

/**
 * Returns the error that the caller gets when something inside the service fails: a 503 when a
 * dependency is unavailable, otherwise a 500.
 */
function replacement(error: unknown, method: string): ApiError {
  if (!isUnavailable(error))
    return new ApiError(
      "INTERNAL_ERROR",
      "The service failed unexpectedly. Report the trace id of this response",
    );
  if (method === "GET" || method === "HEAD")
    return new ApiError(
      "SERVICE_UNAVAILABLE",
      "The service is unavailable at the moment; try again in 5 seconds",
    );
  // Tells the caller that the write may have happened: the database's response may have been lost
  // after the transaction committed. Transactions are atomic, so a partial write is impossible.
  return new ApiError(
    "SERVICE_UNAVAILABLE",
    "The service is unavailable at the moment. The change may have been saved: check before you repeat it",
  );
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // Converts to a 400 what Hono throws for malformed JSON (400) and for a wrong content type (415).
  if (error instanceof HTTPException && error.status < 500)
    return error.status === 415 ? notJson() : new ApiError("BAD_REQUEST", error.message);
  return undefined;
}
