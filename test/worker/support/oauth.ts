import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Caller } from "@feature-flags/permissions/permissions";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { identify } from "../../../src/access/identify.ts";
import { managementDeps } from "../../../src/platform/deps.ts";
import { call } from "./client.ts";
import { signedInWithPassword } from "./factors.ts";
import { PASSWORD } from "./mailbox.ts";
import { asAdmin } from "./outcomes.ts";
import { unique } from "./world.ts";

export const RESOURCE = "https://flags.test/api/mcp";
export const ISSUER = "https://flags.test/api/oauth";
export const REDIRECT = "https://agent.example.com/callback";
export const VERIFIER = "a-verifier-of-pkce-with-at-least-43-characters";

/** Registers a client. Returns the id that the client sends. */
export async function newClient(redirectUris: readonly string[] = [REDIRECT]): Promise<string> {
  const body = { name: unique("Agent"), redirectUris };
  const answer = await asAdmin("POST", "/api/v1/settings/oauth-clients", body);
  if (answer.status !== 201) throw new Error(`client: ${answer.status}`);
  return answer.body.clientId;
}

/** Returns the query of an authorisation request. A change to "" leaves a parameter out. */
export async function queryOf(clientId: string, changes: Record<string, string> = {}) {
  return new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: "read write",
    state: "0123",
    code_challenge: await sha256(VERIFIER),
    code_challenge_method: "S256",
    resource: RESOURCE,
    ...changes,
  }).toString();
}

export const ask = (token: string, query: string) =>
  call("POST", "/api/oauth/request", { token, body: { query } });

/** Sends the consent of a signed-in user with the password `PASSWORD`. */
export const consent = (token: string, query: string, changes: object = {}) =>
  call("POST", "/api/oauth/consent", {
    token,
    body: {
      decision: "approve",
      query,
      scopes: ["read"],
      currentPassword: PASSWORD,
      ...changes,
    },
  });

/** Returns the parameters with which the browser comes back to the client. */
export const answerIn = (redirectTo: string): Record<string, string> =>
  Object.fromEntries(new URL(redirectTo).searchParams);

export const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

export const sendForm = (what: "token" | "revoke", form: Record<string, string>, more = {}) =>
  call("POST", `/api/oauth/${what}`, {
    body: new URLSearchParams(form),
    headers: { ...FORM, ...more },
  });

/** The form with which a client exchanges a code. */
export const codeForm = (clientId: string, code: string, changes: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  client_id: clientId,
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  resource: RESOURCE,
  ...changes,
});

export const refreshForm = (
  clientId: string,
  refreshToken: string,
  changes: Record<string, string> = {},
) => ({
  grant_type: "refresh_token",
  client_id: clientId,
  refresh_token: refreshToken,
  resource: RESOURCE,
  ...changes,
});

/** A client with a code that a new user has approved. */
export async function withCode(approval: object = {}) {
  const [user, clientId] = [await signedInWithPassword(), await newClient()];
  const answer = await consent(user.token, await queryOf(clientId), approval);
  if (answer.status !== 200) throw new Error(`consent: ${JSON.stringify(answer.body)}`);
  return { user, clientId, code: answerIn(answer.body.redirectTo).code ?? "" };
}

/** A client with the tokens of a new user. */
export async function connected(approval: object = {}) {
  const { user, clientId, code } = await withCode(approval);
  const { status, body } = await sendForm("token", codeForm(clientId, code));
  if (status !== 200) throw new Error(`token: ${JSON.stringify(body)}`);
  const tokens = body as { readonly access_token: string; readonly refresh_token: string };
  return { user, clientId, code, tokens };
}

/** Returns who calls the MCP endpoint with a token; undefined for an invalid token. */
export async function callerOfAgent(token: string): Promise<Caller | undefined> {
  const ctx = createExecutionContext();
  const request = {
    traceId: "0".repeat(32),
    ip: undefined,
    reason: undefined,
    userAgent: undefined,
    bypass: false,
  };
  const { deps } = managementDeps(env, ctx, { request, url: RESOURCE, bookmark: undefined });
  const caller = await identify(deps, token, true);
  await waitOnExecutionContext(ctx);
  return caller;
}
