import { ApiError } from "../../core/errors/api-error.ts";
import { isUnavailable } from "../../core/errors/unavailable-error.ts";
import { withoutInvisible } from "../../core/lib/visible-text.ts";
import { logError } from "../../http/log.ts";
import { cutText } from "../session/fit.ts";

/** The most characters of an error text. */
const MAX_TEXT = 2000;

/**
 * Returns what an agent reads about a thrown error. Only the message of an `ApiError` passes, without
 * the characters that nobody sees, because it can quote what people have written. Any other error is logged, without the input of the tool.
 */
export function errorText(error: unknown, traceId: string): string {
  if (error instanceof ApiError) return cutText(withoutInvisible(wordsOf(error)), MAX_TEXT);
  logError("ERROR", "app.mcp", { traceId, error, withStack: true });
  return isUnavailable(error)
    ? "The service is unavailable at the moment. A change may have been saved: check before you repeat it."
    : `Internal error, trace ${traceId}`;
}

function wordsOf({ status, message, details = [], headers }: ApiError): string {
  if (status === 429) return `Wait ${headers["Retry-After"] ?? 1} seconds, then repeat.`;
  const fields = details.map(({ field, message: words }) => `${field} ${words}`);
  return fields.length === 0 ? message : `${message}: ${fields.join("; ")}`;
}
