import type { OfrepFault } from "@feature-flags/client-api/ofrep";
import type { Context } from "hono";
import { ApiError, type ErrorCode } from "../../core/errors/api-error.ts";
import { apiErrorBody } from "../../http/error-response.ts";

export const OFREP_ERROR_CODES = [
  "PARSE_ERROR",
  "INVALID_CONTEXT",
  "TARGETING_KEY_MISSING",
  "FLAG_NOT_FOUND",
  "GENERAL",
] as const;

type OfrepErrorCode = (typeof OFREP_ERROR_CODES)[number];

/** The OFREP error codes of the service's error codes. Every other error code becomes `GENERAL`. */
const CODES: Partial<Record<ErrorCode, OfrepErrorCode>> = {
  BAD_REQUEST: "PARSE_ERROR",
  VALIDATION_ERROR: "INVALID_CONTEXT",
};

/** The error that says why a flag has no evaluation result. */
export class EvaluationError extends ApiError {
  readonly errorCode: OfrepErrorCode;

  constructor({ errorCode, message }: OfrepFault) {
    super(errorCode === "FLAG_NOT_FOUND" ? "NOT_FOUND" : "BAD_REQUEST", message);
    this.errorCode = errorCode;
  }
}

/**
 * Makes the body of an error response under the OFREP paths: the fields of all error bodies of the
 * service, and `{key?, errorCode, errorDetails}`. Every error has `errorCode`, and an evaluation of
 * one flag also `key`, because clients cannot read a failure without them.
 */
export function ofrepErrorBody(error: ApiError, traceId: string, c: Context): object {
  const { code, message, details } = error;
  const key = c.req.param("key");
  const fields = details?.map((detail) => `${detail.field}: ${detail.message}`).join("; ");
  const errorCode = error instanceof EvaluationError ? error.errorCode : CODES[code];
  return {
    ...(key !== undefined && { key }),
    errorCode: errorCode ?? "GENERAL",
    errorDetails: fields ?? message,
    ...apiErrorBody(error, traceId),
  };
}
