import { OAuthError } from "./oauth-error.ts";

/** The parameters of a request, each of which has one value. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the parameters of a query or a form. An empty parameter counts as missing (RFC 6749 section
 * 3.1). Throws: `OAuthError` for a parameter that occurs twice.
 */
export function parametersOf(text: string): Parameters {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (found.has(name))
      throw new OAuthError("invalid_request", `The parameter ${name} occurs more than once`);
    found.set(name, value);
  }
  return new Map([...found].filter(([, value]) => value !== ""));
}

/** Returns a parameter. Throws: `OAuthError` if it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined)
    throw new OAuthError("invalid_request", `The parameter ${name} is missing`);
  return value;
}

/** Checks the parameter `resource` (RFC 8707). Throws: `OAuthError` if it is missing or another one. */
export function assertResource(parameters: Parameters, resource: string): void {
  const asked = required(parameters, "resource");
  // The URL parser turns the scheme and the host into small letters, as clients may write them large.
  if (!URL.canParse(asked) || new URL(asked).href !== resource)
    throw new OAuthError("invalid_target", `The resource must be ${resource}`);
}
