import { ApiError } from "../errors/api-error.ts";

/** The error codes of OAuth (RFC 6749 sections 4.1.2.1 and 5.2, RFC 8707 section 2). */
export const OAUTH_ERRORS = [
  "access_denied",
  "invalid_grant",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "unsupported_grant_type",
  "unsupported_response_type",
] as const;
export type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

/** An error of the authorisation server, which its endpoints return in the form of RFC 6749. */
export class OAuthError extends ApiError {
  readonly oauthCode: OAuthErrorCode;

  constructor(oauthCode: OAuthErrorCode, message: string) {
    super("BAD_REQUEST", message);
    this.oauthCode = oauthCode;
  }
}
