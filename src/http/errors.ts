import { HTTPException } from "hono/http-exception";
import { ApiError, type ErrorStatus } from "../core/errors.ts";
import { log } from "./log.ts";
import { ensureTrace, type TraceContext, traceHeaders } from "./trace.ts";

/** The part of a Hono context that an error answer needs. */
interface ErrorContext extends TraceContext {
  json(body: object, status: ErrorStatus, headers: Record<string, string>): Response;
}

/** The one place where an error becomes an answer. A 500 tells its trace id and nothing else. */
export function toResponse(error: unknown, c: ErrorContext): Response {
  const known = toApiError(error);
  const trace = ensureTrace(c);
  const { traceId } = trace;
  if (!known)
    log("ERROR", "http", error instanceof Error ? error.message : String(error), {
      traceId,
      stack: error instanceof Error ? error.stack : undefined,
    });
  const answer = known ?? new ApiError("INTERNAL_ERROR", "Unexpected server error");
  const { message, code, details, status } = answer;
  const body = { error: message, code, traceId, ...(details && { details }) };
  return c.json(body, status, { ...traceHeaders(trace), ...answer.headers });
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // The framework's own refusals: malformed JSON (400), a wrong content type (415).
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError("BAD_REQUEST", error.message);
  return undefined;
}
