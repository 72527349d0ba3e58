/**
 * What a bearer token is: the access token of a session (JWT), an API key (64 base64url characters), or a
 * token of a person, of a service account or of an application that a person has authorised.
 */
type TokenKind = "access-token" | "api-key" | "token";

const FORMS: readonly (readonly [TokenKind, RegExp])[] = [
  ["api-key", /^[A-Za-z0-9_-]{64}$/],
  ["token", /^ff(?:pat|svc|mcp)_[0-9A-Za-z]{42}$/],
  ["access-token", /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/],
];

/**
 * Returns the kind of a bearer token by its form; undefined if no kind has this form. Does not check
 * whether the token is valid.
 */
export const kindOfToken = (token: string): TokenKind | undefined =>
  FORMS.find(([, form]) => form.test(token))?.[0];
