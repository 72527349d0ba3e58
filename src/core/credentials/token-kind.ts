/** What a bearer token is: an API key (64 base64url characters), or an access token (JWT). */
type TokenKind = "api-key" | "access-token";

const FORMS: readonly (readonly [TokenKind, RegExp])[] = [
  ["api-key", /^[A-Za-z0-9_-]{64}$/],
  ["access-token", /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/],
];

/**
 * Returns the kind of a bearer token by its form; undefined if no kind has this form. Does not check
 * whether the token is valid.
 */
export const kindOfToken = (token: string): TokenKind | undefined =>
  FORMS.find(([, form]) => form.test(token))?.[0];
