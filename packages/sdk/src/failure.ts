/** The codes of errors, for programs. */
export type FailureCode =
  /** An option has an unusable value. */
  | "INVALID_OPTION"
  /** The snapshot that `bootstrap` returned cannot be used. */
  | "BOOTSTRAP_FAILED"
  /** 401: the service does not know the key. */
  | "UNAUTHORIZED"
  /** 403: the key may not read rules. */
  | "FORBIDDEN"
  /** 404: the URL is not the address of the service. */
  | "NOT_FOUND"
  /** 429: the service limits the rate of requests, and the client is above the limit. */
  | "RATE_LIMITED"
  /** Any other status. */
  | "UNAVAILABLE"
  /** No response: the network failed. */
  | "UNREACHABLE"
  /** The response, or the rules, did not arrive in time. */
  | "TIMEOUT"
  /** The response does not have the form of the service's responses. */
  | "INVALID_RESPONSE"
  /** The engine for regular expressions could not be loaded. */
  | "ENGINE_UNAVAILABLE"
  /** The clock of this machine differs from the clock of the service. */
  | "CLOCK_SKEW"
  /** The service does not accept a usage report. */
  | "USAGE_REJECTED"
  /** More flags were checked between two usage reports than the client counts. */
  | "USAGE_OVERFLOW"
  /** The client was closed. */
  | "CLOSED";

/** An error of the client, with a message that says what to do and a code for programs. */
export class FlagClientError extends Error {
  override readonly name = "FlagClientError";
  readonly code: FailureCode;
  /** The status of the response; undefined when there was none. */
  readonly status: number | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }

  /**
   * Whether another attempt has the same result until somebody changes the key, the URL or the
   * options.
   */
  get isFatal(): boolean {
    return FATAL.has(this.code);
  }
}

const FATAL: ReadonlySet<FailureCode> = new Set(["INVALID_OPTION", "UNAUTHORIZED", "FORBIDDEN"]);
