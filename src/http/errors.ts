import { HTTPException } from "hono/http-exception";
import { ApiError, type ErrorStatus } from "../core/errors.ts";
import { log } from "./log.ts";
import type { Trace } from "./trace.ts";

/** The part of a Hono context that an error answer needs, whatever else the context carries. */
interface ErrorContext {
  readonly var: { readonly trace: Trace };
  header(name: string, value: string): void;
  json(body: object, status: ErrorStatus): Response;
}

/** The one place where an error becomes an answer. A 500 tells its trace id and nothing else. */
export function toResponse(error: unknown, c: ErrorContext): Response {
  const known = toApiError(error);
  const { traceId } = c.var.trace;
  if (!known)
    log("ERROR", "http", error instanceof Error ? error.message : String(error), {
      traceId,
      stack: error instanceof Error ? error.stack : undefined,
    });
  const answer = known ?? new ApiError("INTERNAL_ERROR", "Unexpected server error");
  for (const [name, value] of Object.entries(answer.headers)) c.header(name, value);
  return c.json(
    {
      error: answer.message,
      code: answer.code,
      traceId,
      ...(answer.details && { details: answer.details }),
    },
    answer.status,
  );
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // The framework's own refusals: malformed JSON (400), a wrong content type (415).
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError("BAD_REQUEST", error.message);
  return undefined;
}
