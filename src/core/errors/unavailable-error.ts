/** A dependency of the service failed, timed out, or returned nonsense. The caller gets a 503. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Bounds the walk, because an error can be its own cause. */
const MAX_CAUSES = 5;

/** Whether the error, or one of its causes, is an `UnavailableError`: libraries wrap what they catch. */
export function isUnavailable(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth <= MAX_CAUSES; depth++) {
    if (at instanceof UnavailableError) return true;
    at = at.cause;
  }
  return false;
}
