/** Something that the service needs does not answer, not in time, or not as it should: 503. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** An error may be its own cause. */
const MAX_CAUSES = 5;

/** Whether that is what is behind an error, whatever a library has wrapped it in. */
export function isUnavailable(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth <= MAX_CAUSES; depth++) {
    if (at instanceof Unavailable) return true;
    at = at.cause;
  }
  return false;
}
