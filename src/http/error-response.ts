import { HTTPException } from "hono/http-exception";
import { ApiError, type ErrorStatus } from "../core/errors/api-error.ts";
import { traceHeaders } from "../core/logging/trace.ts";
import { isUnavailable } from "../core/errors/unavailable-error.ts";
import { logError } from "./log.ts";
import { type SecretBearingRequest, secretsOfRequest } from "./request-secrets.ts";
import { API_HEADERS } from "./security-headers.ts";
import { ensureTrace, type TraceContext } from "./trace.ts";

/** The part of a Hono context that an error answer needs. */
interface ErrorContext extends TraceContext {
  readonly req: SecretBearingRequest;
  json(body: object, status: ErrorStatus, headers: Record<string, string>): Response;
}

/** When to come back after a 503, seconds: long enough for the service to catch its breath. */
const RETRY_AFTER = { "Retry-After": "5" };

/** The one place where an error becomes an answer. A 500 tells its trace id and nothing else. */
export function errorResponse(error: unknown, c: ErrorContext): Response {
  const known = toApiError(error);
  const trace = ensureTrace(c);
  const { traceId } = trace;
  if (!known) {
    const secrets = secretsOfRequest(c.req);
    logError("ERROR", "app.http", { traceId, error, secrets, withStack: true });
  }
  const answer = known ?? failure(error, c.req.raw.method);
  const { message, code, details, status } = answer;
  const body = { error: message, code, traceId, ...(details && { details }) };
  const headers = status === 503 ? { ...RETRY_AFTER, ...answer.headers } : answer.headers;
  return c.json(body, status, { ...API_HEADERS, ...traceHeaders(trace), ...headers });
}

/** What the caller hears of a failure that the log tells of. */
function failure(error: unknown, method: string): ApiError {
  if (!isUnavailable(error)) return new ApiError("INTERNAL_ERROR", "Unexpected server error");
  const sorry = "The service cannot answer at the moment";
  if (method === "GET" || method === "HEAD") return new ApiError("SERVICE_UNAVAILABLE", sorry);
  // An answer that was lost on its way may have been a yes; what was not made, was not made in part.
  return new ApiError(
    "SERVICE_UNAVAILABLE",
    `${sorry}. Whether the change was made is not known: look before you repeat it`,
  );
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // The framework's own refusals: malformed JSON (400), a wrong content type (415).
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError("BAD_REQUEST", error.message);
  return undefined;
}
