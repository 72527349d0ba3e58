/**
 * The error that is thrown when the database, or the store of a session's refresh tokens, fails,
 * times out or returns an invalid response. The caller gets a 503.
 */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** The most causes of an error to follow, because an error can be its own cause. */
const MAX_CAUSES = 5;

/**
 * Whether the error or one of its causes is an `UnavailableError`. Libraries wrap the errors that they catch.
 */
export function isUnavailable(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth <= MAX_CAUSES; depth++) {
    if (at instanceof UnavailableError) return true;
    at = at.cause;
  }
  return false;
}
