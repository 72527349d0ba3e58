import { z } from "@hono/zod-openapi";
import { AGENT_SCOPES } from "../../core/oauth/endpoints.ts";
import { OAUTH_ERRORS, OAuthError } from "../../core/oauth/oauth-error.ts";
import { isLoopback, redirectUriError } from "../../core/oauth/redirect-uri.ts";
import { ERROR_CODES } from "../../core/errors/api-error.ts";
import { EXAMPLE_TRACE } from "../../http/headers.ts";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import { currentPassword, EXAMPLE_PASSWORD } from "../auth/schema.ts";
import { tokenRights } from "../tokens/schema.ts";
import type { Asked } from "./asked.ts";
import type { AgentRow, ClientRow } from "../../model/oauth/queries.ts";
import type { TokenResponse } from "./token-service.ts";

const EXAMPLE_CLIENT = "https://agent.example.com/client.json";
const EXAMPLE_REDIRECT = "http://127.0.0.1:3000/callback";
const EXAMPLE_QUERY = `response_type=code&client_id=${encodeURIComponent(EXAMPLE_CLIENT)}`;

/** The maximum length of the query of an authorisation request, characters. */
const MAX_QUERY = 6_000;

const query = z
  .string()
  .max(MAX_QUERY, `must have at most ${MAX_QUERY} characters`)
  .openapi({ description: "The query of `/authorize`, as the client has sent it" });

export const authorizationQuery = z
  .object({ query })
  .openapi("AuthorizationQuery", { example: { query: EXAMPLE_QUERY } });

const scopes = z.array(z.enum(AGENT_SCOPES));

export const authorizationResponse = z
  .object({
    clientId: z.string(),
    clientName: z.string().openapi({ description: "The name that the client gives itself" }),
    clientHost: z.string().nullable().openapi({
      description: "The host of the metadata document; null for a client of an administrator",
    }),
    redirectHost: z.string().openapi({ description: "Where the browser goes after the decision" }),
    isLocal: z
      .boolean()
      .openapi({ description: "Whether the browser goes to a program on the user's machine" }),
    scopes: scopes.openapi({ description: "What the client asks for" }),
    problem: z
      .object({
        error: z.enum(OAUTH_ERRORS),
        description: z.string(),
        redirectTo: z
          .string()
          .openapi({ description: "The URL at which the browser tells the client" }),
      })
      .nullable()
      .openapi({ description: "What is wrong with the request. Null: the user can decide" }),
  })
  .openapi("Authorization", {
    example: {
      clientId: EXAMPLE_CLIENT,
      clientName: "Example agent",
      clientHost: "agent.example.com",
      redirectHost: "127.0.0.1:3000",
      isLocal: true,
      scopes: ["read", "write"],
      problem: null,
    },
  });

export const toAuthorization = ({
  client,
  redirectUri,
  request,
  answerAt,
}: Asked): z.infer<typeof authorizationResponse> => {
  const isWrong = request instanceof OAuthError;
  return {
    clientId: client.id,
    clientName: client.name,
    clientHost: client.host,
    redirectHost: new URL(redirectUri).host,
    isLocal: isLoopback(redirectUri),
    scopes: isWrong ? [] : [...request.scopes],
    problem: isWrong
      ? {
          error: request.oauthCode,
          description: request.message,
          redirectTo: answerAt(request),
        }
      : null,
  };
};

export const consentRequest = z
  .discriminatedUnion("decision", [
    z.object({
      decision: z.literal("approve"),
      query,
      scopes: scopes
        .min(1, "must not be empty")
        .refine((all) => new Set(all).size === all.length, "must not have an item twice"),
      projectIds: tokenRights.projectIds,
      environmentIds: tokenRights.environmentIds,
      currentPassword: currentPassword.optional(),
    }),
    z.object({ decision: z.literal("deny"), query }),
  ])
  .openapi("Consent", {
    example: {
      decision: "approve",
      query: EXAMPLE_QUERY,
      scopes: ["read"],
      currentPassword: EXAMPLE_PASSWORD,
    },
  });

export const consentResponse = z
  .object({
    redirectTo: z
      .string()
      .openapi({ description: "The URL at which the browser tells the client" }),
  })
  .openapi("ConsentResult", { example: { redirectTo: `${EXAMPLE_REDIRECT}?code=…` } });

const parameter = (description: string) => z.string().optional().openapi({ description });

/** The forms of the token endpoint, whose parameters the service reads itself (RFC 6749). */
export const tokenForm = z
  .object({
    grant_type: parameter("`authorization_code` or `refresh_token`"),
    client_id: parameter("The id of the client"),
    resource: parameter("The URL of the MCP endpoint (RFC 8707)"),
    code: parameter("With `authorization_code`: the code"),
    redirect_uri: parameter("With `authorization_code`: the redirect URI of the request"),
    code_verifier: parameter("With `authorization_code`: the verifier of PKCE (RFC 7636)"),
    refresh_token: parameter("With `refresh_token`: the last refresh token"),
  })
  .openapi("OAuthTokenForm");

export const revocationForm = z
  .object({
    token: parameter("An access token or a refresh token"),
    client_id: parameter("The id of the client"),
  })
  .openapi("OAuthRevocationForm");

export const tokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().openapi({ description: "After how many seconds the access token expires" }),
    refresh_token: z.string().openapi({ description: "Works once; its use returns the next" }),
    scope: z.string(),
  })
  .openapi("OAuthToken", {
    example: {
      access_token: `ffmcp_${"x".repeat(36)}000000`,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: `${"x".repeat(22)}.${"x".repeat(43)}`,
      scope: "read write",
    },
  });

export const toTokenResponse = (tokens: TokenResponse): z.infer<typeof tokenResponse> => ({
  access_token: tokens.accessToken,
  token_type: "Bearer",
  expires_in: tokens.expiresIn,
  refresh_token: tokens.refreshToken,
  scope: tokens.scopes.join(" "),
});

export const oauthErrorResponse = z
  .object({
    error: z.string().openapi({ description: "An error code of RFC 6749 or RFC 8707" }),
    error_description: z.string(),
    code: z.enum(ERROR_CODES),
    traceId: z.string(),
  })
  .openapi("OAuthError", {
    example: {
      error: "invalid_grant",
      error_description: "The code is unknown, was used or revoked, or has expired",
      code: "BAD_REQUEST",
      traceId: EXAMPLE_TRACE,
    },
  });

const AGENT_EXAMPLE = {
  id: 9,
  name: "Example agent",
  clientId: EXAMPLE_CLIENT,
  scopes: ["read" as const],
  projectIds: [1],
  environmentIds: null,
  createdAt: "2026-01-02T03:04:05.678Z",
  expiresAt: "2026-02-01T03:04:05.678Z",
  lastUsedAt: null,
};

export const agentResponse = z
  .object({
    id,
    name: z.string().openapi({ description: "The name that the client gives itself" }),
    clientId: z.string(),
    scopes,
    projectIds: z.array(id).nullable(),
    environmentIds: z.array(id).nullable(),
    createdAt: timestamp,
    expiresAt: timestamp.openapi({
      description: "When the access ends, unless the client refreshes its tokens before",
    }),
    lastUsedAt: timestamp
      .nullable()
      .openapi({ description: "The time of the last use, to ten minutes" }),
  })
  .openapi("Agent", { example: AGENT_EXAMPLE });

export const toAgent = (row: AgentRow): z.infer<typeof agentResponse> => ({
  id: row.id,
  name: row.name,
  clientId: row.clientId,
  scopes: AGENT_SCOPES.filter((scope) => row.scopes.includes(scope)),
  projectIds: row.projectIds && [...row.projectIds],
  environmentIds: row.environmentIds && [...row.environmentIds],
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.refreshUntil),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});

const MAX_REDIRECTS = 20;

/** Says which of the redirect URIs is wrong, and why. */
const redirectUrisError = (uris: readonly string[]): string | undefined =>
  uris
    .map((uri) => ({ uri, error: redirectUriError(uri) }))
    .flatMap(({ uri, error }) => (error === undefined ? [] : `${uri} ${error}`))[0];

export const createClientRequest = z
  .object({
    name,
    redirectUris: z
      .array(z.string())
      .min(1, "must not be empty")
      .max(MAX_REDIRECTS, `must have at most ${MAX_REDIRECTS} items`)
      .superRefine((uris, check) => {
        const message = redirectUrisError(uris);
        if (message !== undefined) check.addIssue(message);
      })
      .openapi({
        description:
          "Each an https URL, or an http URL of the user's machine, whose port may differ in requests",
      }),
  })
  .openapi("CreateOAuthClient", {
    example: { name: "Example agent", redirectUris: [EXAMPLE_REDIRECT] },
  });

export const clientResponse = z
  .object({
    id,
    clientId: z.string().openapi({ description: "The id that the client sends" }),
    name: z.string(),
    redirectUris: z.array(z.string()),
    createdAt: timestamp,
  })
  .openapi("OAuthClient", {
    example: {
      id: 2,
      clientId: "ffclient_x7Kq2mZp9TgW4vBn",
      name: "Example agent",
      redirectUris: [EXAMPLE_REDIRECT],
      createdAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toClient = (row: ClientRow): z.infer<typeof clientResponse> => ({
  id: row.id,
  clientId: row.clientId,
  name: row.name,
  redirectUris: [...row.redirectUris],
  createdAt: iso(row.createdAt),
});
