import type { Problem } from "./sign-on-problem.ts";

/**
 * Two words name what goes wrong:
 * - An *error* is what a caller gets: an API error, its response body, a thrown `ApiError`.
 * - A *fault* is what went wrong inside the service, or in what it depends on. It is logged and
 *   counted, and the caller may never notice it (`fault(what, error)` in the ports).
 */

/** The HTTP status of each error code of the API (docs/use/api.md). */
const STATUS_OF = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  // The errors of RFC 8628, section 3.5.
  AUTHORIZATION_PENDING: 400,
  SLOW_DOWN: 400,
  EXPIRED_TOKEN: 400,
  ACCESS_DENIED: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  TOKEN_REUSE: 401,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  APPROVAL_REQUIRED: 409,
  OUTDATED: 409,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;
export const ERROR_CODES = Object.keys(STATUS_OF) as ErrorCode[];
/**
 * The HTTP statuses of error responses. 412 (see `preconditionFailed`) and 413 have no error codes of
 * their own.
 */
export type ErrorStatus = (typeof STATUS_OF)[ErrorCode] | 412 | 413;

/**
 * A field error: what is wrong with one field of a request body. `details` of the error body lists
 * the field errors.
 */
export interface FieldError {
  /** The path of the field in the request body, with dots, such as `constraints.0.values.1`. */
  readonly field: string;
  readonly message: string;
}

/** The most field errors of one response. */
const MAX_DETAILS = 100;

/** What a change needs an approval for. */
export interface NeededApproval {
  readonly environments: readonly { readonly id: number; readonly name: string }[];
}

interface ErrorOptions {
  readonly status?: ErrorStatus;
  readonly details?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly approval?: NeededApproval;
  readonly problem?: Problem;
}

/**
 * An error that the caller gets: its message and code are in the response body. An error of another
 * class becomes a 500 or a 503 without its message. Only Hono's own errors become a 400.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Only of `APPROVAL_REQUIRED`. */
  readonly approval: NeededApproval | undefined;
  /** Why a sign-in at an identity provider is refused. Undefined for all other errors. */
  readonly problem: Problem | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? STATUS_OF[code];
    this.details = options.details?.slice(0, MAX_DETAILS);
    this.headers = options.headers ?? {};
    this.approval = options.approval;
    this.problem = options.problem;
  }
}

export const notFound = (message: string): ApiError => new ApiError("NOT_FOUND", message);

export const conflict = (message: string): ApiError => new ApiError("CONFLICT", message);

/**
 * The error for a method that the path does not have: 405 with the header `Allow` (RFC 9110 section
 * 15.5.6). `allow` is the value of that header.
 */
export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(
    "METHOD_NOT_ALLOWED",
    "The path does not support this HTTP method; the header Allow lists the supported methods",
    {
      headers: { Allow: allow },
    },
  );

/**
 * The error for too many requests: 429 with `Retry-After`, which is `waitMs` rounded up to whole
 * seconds, at least 1 (RFC 6585 section 4).
 */
export const tooManyRequests = (message: string, waitMs: number): ApiError =>
  new ApiError("RATE_LIMIT_EXCEEDED", message, {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });

/** The error for a body whose `Content-Type` is not JSON: 400. */
export const notJson = (): ApiError =>
  new ApiError("BAD_REQUEST", "The header Content-Type must be application/json");

export const unauthorized = (
  message = "A valid token or key is required",
  challenge = "Bearer",
): ApiError =>
  new ApiError("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": challenge } });

/**
 * The error for an `If-Match` that does not match: 412 (RFC 9110 section 15.5.13). Its code is
 * `CONFLICT`, because the API has no separate code for it.
 */
export const preconditionFailed = (): ApiError =>
  new ApiError(
    "CONFLICT",
    "The resource has changed since you loaded it. Load it again, then repeat your change",
    {
      status: 412,
    },
  );

/**
 * The error for a request body that is not valid. `found`: the number of all errors, if `details` has
 * only some of them.
 */
export const invalid = (details: readonly FieldError[], found = details.length): ApiError => {
  const named = Math.min(details.length, MAX_DETAILS);
  const rest =
    found > named
      ? `. details has the first ${named} of ${found} errors: correct them, and send the body again`
      : "";
  return new ApiError("VALIDATION_ERROR", `The request body is not valid${rest}`, { details });
};
