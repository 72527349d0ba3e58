import type { FieldError } from "./types.ts";

interface ApiErrorFields {
  /** HTTP status; 0 when no response arrived. */
  status: number;
  /**
   * An error code of the API, or one of the dashboard: `UNREACHABLE`, `UNREADABLE`,
   * `INVALID_FIELDS`, `REWORDED`.
   */
  code: string;
  message: string;
  traceId?: string | undefined;
  /** Seconds to wait, from the Retry-After header. */
  retryAfter?: number | undefined;
  /** Every field error of the body, with `VALIDATION_ERROR`. */
  details?: readonly FieldError[] | undefined;
}

/** The only error class that API calls throw. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: readonly FieldError[];

  constructor(fields: ApiErrorFields, options?: ErrorOptions) {
    super(fields.message, options);
    this.name = "ApiError";
    this.status = fields.status;
    this.code = fields.code;
    this.traceId = fields.traceId;
    this.retryAfter = fields.retryAfter;
    this.details = fields.details ?? [];
  }

  /** A copy of the error with another code, message or field errors. */
  copyWith(change: Partial<Pick<ApiErrorFields, "code" | "message" | "details">>): ApiError {
    const { status, code, message, traceId, retryAfter, details } = this;
    const fields = { status, code, message, traceId, retryAfter, details, ...change };
    return new ApiError(fields, { cause: this });
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}
