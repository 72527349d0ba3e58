import type { ApiError } from "../../core/errors/api-error.ts";

/**
 * Makes the body of an error response under the manifest paths: `{error: {message, status, details?}}`, as
 * OpenFeature describes it, with `code` and `traceId` as in all error bodies of the service.
 */
export const manifestErrorBody = (
  { message, status, code, details }: ApiError,
  traceId: string,
): object => ({ error: { message, status, ...(details && { details }) }, code, traceId });
