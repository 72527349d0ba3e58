/** The path of the MCP endpoint, the only resource for which the authorisation server issues tokens. */
export const MCP_PATH = "/api/mcp";

export const AGENT_SCOPES = ["read", "write"] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** The path of the authorisation server, without the name of the service. */
const SERVER_PATH = "/api/oauth";

/** The paths of the metadata documents (RFC 9728 section 3.1, RFC 8414 section 3.1). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
export const SERVER_METADATA_PATH = `/.well-known/oauth-authorization-server${SERVER_PATH}`;

const at = (publicUrl: string, path: string): string => new URL(path, publicUrl).href;

/** Returns the identifier of the MCP endpoint as a resource (RFC 8707). */
export const resourceOf = (publicUrl: string): string => at(publicUrl, MCP_PATH);

/** Returns the identifier of the authorisation server (RFC 8414, RFC 9207). */
export const issuerOf = (publicUrl: string): string => at(publicUrl, SERVER_PATH);

/** Returns the metadata of the MCP endpoint as a protected resource (RFC 9728). */
export const resourceMetadata = (publicUrl: string) => ({
  resource: resourceOf(publicUrl),
  resource_name: "Feature flags",
  authorization_servers: [issuerOf(publicUrl)],
  scopes_supported: [...AGENT_SCOPES],
  bearer_methods_supported: ["header"],
});

/** Returns the metadata of the authorisation server (RFC 8414). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: issuerOf(publicUrl),
  authorization_endpoint: at(publicUrl, "/authorize"),
  token_endpoint: at(publicUrl, `${SERVER_PATH}/token`),
  revocation_endpoint: at(publicUrl, `${SERVER_PATH}/revoke`),
  scopes_supported: [...AGENT_SCOPES],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** Why the MCP endpoint refuses a request (RFC 6750 section 3.1). */
interface Refusal {
  readonly error?: "invalid_token" | "insufficient_scope" | undefined;
  readonly scopes?: readonly AgentScope[] | undefined;
}

/**
 * Returns the value of `WWW-Authenticate` with which the MCP endpoint refuses a request. `publicUrl` is
 * undefined if the address of the service is unknown: then the value names no metadata.
 */
export function challengeOf(
  publicUrl: string | undefined,
  { error, scopes }: Refusal = {},
): string {
  const parameters = Object.entries({
    error,
    scope: scopes?.join(" "),
    resource_metadata: publicUrl && at(publicUrl, RESOURCE_METADATA_PATH),
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
}
