import { ApiError } from "./api-error.ts";

interface Description {
  message: string;
  /** Trace id to quote to whoever runs the service; only where the reader cannot help himself. */
  reference?: string | undefined;
}

/** Puts an error into words for the person in front of the screen. */
export function describeError(error: unknown): Description {
  if (!(error instanceof ApiError)) return { message: "Something went wrong. Please try again." };
  // By status, because a proxy in front of the service also limits rates, in a body of its own.
  if (error.status === 429) {
    return { message: `Too many attempts. Try again ${inTime(error.retryAfter)}.` };
  }
  switch (error.code) {
    case "UNREACHABLE":
      return { message: "The server cannot be reached. Check your connection and try again." };
    case "INVALID_CREDENTIALS":
      return { message: "The e-mail address or the password is incorrect." };
    case "FORBIDDEN":
      return { message: "Your role does not allow this." };
    default:
      return error.status >= 500
        ? {
            message: "The server could not handle this. Please try again in a moment.",
            reference: error.traceId,
          }
        : { message: error.message };
  }
}

function inTime(seconds: number | undefined): string {
  if (seconds === undefined) return "later";
  const format = new Intl.RelativeTimeFormat("en");
  if (seconds <= 90) return format.format(Math.max(1, seconds), "second");
  if (seconds <= 90 * 60) return format.format(Math.ceil(seconds / 60), "minute");
  return format.format(Math.ceil(seconds / 3600), "hour");
}
