import type { ErrorBody, FieldError } from "./types.ts";

interface ApiErrorFields {
  /** The HTTP status of the response. 0 if no response arrived. */
  status: number;
  /**
   * The error code of the API, or a code that only the dashboard uses (`UNREACHABLE`, `UNREADABLE`,
   * `INVALID_FIELDS`, `REWORDED`).
   */
  code: string;
  message: string;
  traceId?: string | undefined;
  /** The environments that require an approval. The API sends them with `APPROVAL_REQUIRED`. */
  approval?: ErrorBody["approval"] | undefined;
  /** Why a sign-in behind Cloudflare Access is refused. */
  problem?: ErrorBody["problem"] | undefined;
  /** The number of seconds to wait before a retry, from the `Retry-After` header. */
  retryAfter?: number | undefined;
  /**
   * The field errors. The API sends them only with the code `VALIDATION_ERROR`. The dashboard adds
   * field errors to other errors, see `conflictToFieldError`.
   */
  details?: readonly FieldError[] | undefined;
}

/** An error response, a response that the dashboard cannot read, or no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly approval: ErrorBody["approval"] | undefined;
  readonly problem: ErrorBody["problem"] | undefined;
  readonly details: readonly FieldError[];

  constructor(fields: ApiErrorFields, options?: ErrorOptions) {
    super(fields.message, options);
    this.name = "ApiError";
    this.status = fields.status;
    this.code = fields.code;
    this.traceId = fields.traceId;
    this.retryAfter = fields.retryAfter;
    this.approval = fields.approval;
    this.problem = fields.problem;
    this.details = fields.details ?? [];
  }

  /** Returns a copy of the API error with another code, message or list of field errors. */
  copyWith(change: Partial<Pick<ApiErrorFields, "code" | "message" | "details">>): ApiError {
    const { status, code, message, traceId, approval, problem, retryAfter, details } = this;
    const fields = {
      status,
      code,
      message,
      traceId,
      approval,
      problem,
      retryAfter,
      details,
      ...change,
    };
    return new ApiError(fields, { cause: this });
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}
