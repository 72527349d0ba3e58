import { AGENT_SCOPES, type AgentScope } from "./endpoints.ts";
import { OAuthError } from "./oauth-error.ts";
import { assertResource, type Parameters, required } from "./parameters.ts";

export interface AuthorizationRequest {
  /** The code challenge of PKCE (RFC 7636), made with S256. */
  readonly challenge: string;
  readonly scopes: readonly AgentScope[];
}

/** A SHA-256 hash in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the parameters of an authorisation request, except those that name the client and the redirect
 * URI. Throws: `OAuthError`, which the client may learn.
 */
export function authorizationRequest(
  parameters: Parameters,
  resource: string,
): AuthorizationRequest {
  if (required(parameters, "response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "The response_type must be code");
  if (parameters.get("response_mode") !== undefined && parameters.get("response_mode") !== "query")
    throw new OAuthError("invalid_request", "The response_mode must be query");
  const challenge = required(parameters, "code_challenge");
  if (parameters.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "The code_challenge_method must be S256");
  if (!CHALLENGE.test(challenge))
    throw new OAuthError(
      "invalid_request",
      "The code_challenge must be a SHA-256 hash in base64url",
    );
  assertResource(parameters, resource);
  return { challenge, scopes: scopesOf(parameters.get("scope")) };
}

/**
 * Returns the scopes of a request that agents can get; without a parameter `scope`, only `read`. Ignores
 * other scopes, as clients may add usual ones such as `offline_access`.
 */
function scopesOf(text: string | undefined): readonly AgentScope[] {
  if (text === undefined) return ["read"];
  const asked = new Set(text.split(" "));
  const scopes = AGENT_SCOPES.filter((scope) => asked.has(scope));
  if (scopes.length === 0)
    throw new OAuthError("invalid_scope", `The scopes are ${AGENT_SCOPES.join(" and ")}`);
  return scopes;
}
