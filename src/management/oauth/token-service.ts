import { sql } from "drizzle-orm";
import { hasRightChecksum, isAgentToken, tokenHash } from "../../core/credentials/access-token.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { resourceOf } from "../../core/oauth/endpoints.ts";
import { OAuthError } from "../../core/oauth/oauth-error.ts";
import {
  assertResource,
  type Parameters,
  parametersOf,
  required,
} from "../../core/oauth/parameters.ts";
import { actorOf } from "../../access/actor.ts";
import { familyIdOf, newFamilyId } from "../../workflows/sign-in/refresh-token.ts";
import { asSystem, asUser, type Visitor } from "../../access/call.ts";
import { assertPublicUrl } from "../../mail/mails.ts";
import { aboutToken } from "../tokens/new-token.ts";
import {
  insertToken,
  isUnrevoked,
  revokeToken,
  tokenIdByHash,
} from "../../model/tokens/queries.ts";
import { agentContent, revoked } from "./agent-audit.ts";
import { MAX_AGENTS, newGrantTokens } from "./grant-tokens.ts";
import * as queries from "../../model/oauth/queries.ts";
import type { CodeRow, Grant } from "../../model/oauth/queries.ts";

/** The actor in the audit records of grants that end because somebody has used a code or a token twice. */
const SYSTEM = "service";

/** A code verifier of PKCE (RFC 7636 section 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

const invalidGrant = (what: string) =>
  new OAuthError("invalid_grant", `The ${what} is unknown, was used or revoked, or has expired`);

/** The user may have connected other agents since the consent. RFC 6749 has no error of its own for this. */
const tooManyAgents = new OAuthError(
  "invalid_grant",
  `The user has ${MAX_AGENTS} connected agents, and must revoke one before another can be connected`,
);

/** What a client gets for a code or a refresh token (RFC 6749 section 5.1). */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** How long the access token lives, seconds. */
  readonly expiresIn: number;
  readonly scopes: readonly string[];
}

interface FormInput {
  /** The body of the request, as `application/x-www-form-urlencoded`. */
  readonly form: string;
}

/**
 * Exchanges a code or a refresh token for new tokens. Throws: `OAuthError`; 503 if `PUBLIC_URL` is missing.
 */
export async function exchange(ctx: Visitor, { form }: FormInput): Promise<TokenResponse> {
  const parameters = parametersOf(form);
  const grantType = required(parameters, "grant_type");
  const resource = resourceOf(assertPublicUrl(ctx));
  if (grantType === "authorization_code") return exchangeCode(ctx, parameters, resource);
  if (grantType === "refresh_token") return refreshGrant(ctx, parameters, resource);
  throw new OAuthError(
    "unsupported_grant_type",
    "The grant_type must be authorization_code or refresh_token",
  );
}

async function exchangeCode(
  ctx: Visitor,
  parameters: Parameters,
  resource: string,
): Promise<TokenResponse> {
  const hash = await sha256(required(parameters, "code"));
  const clientId = required(parameters, "client_id");
  const redirectUri = required(parameters, "redirect_uri");
  const verifier = required(parameters, "code_verifier");
  assertResource(parameters, resource);
  const found = await queries.findCode(ctx.db, hash);
  if (!found) throw invalidGrant("code");
  const { code, user } = found;
  // Comes before the check of an earlier use. Who has only seen a code must not be able to end its grant.
  const isRight =
    code.clientId === clientId &&
    code.redirectUri === redirectUri &&
    VERIFIER.test(verifier) &&
    (await sha256(verifier)) === code.challenge;
  if (!isRight) throw invalidGrant("code");
  if (code.familyId !== null) throw await endGrantOfCode(ctx, code.familyId);
  if (code.expiresAt <= ctx.now() || user.status !== "ACTIVE") throw invalidGrant("code");
  return openGrant(ctx, code, actorOf(user));
}

/** Uses a code, and stores its grant. */
async function openGrant(
  ctx: Visitor,
  code: CodeRow,
  actor: ReturnType<typeof actorOf>,
): Promise<TokenResponse> {
  const { hash, userId, clientId, clientName: name, scopes, projectIds, environmentIds } = code;
  const familyId = newFamilyId();
  const createdAt = ctx.now();
  const { columns, rotation, ...tokens } = await newGrantTokens(ctx, {
    familyId,
    at: createdAt,
  });
  // Without a row in the database, nobody can use the refresh family.
  await ctx.families.open(familyId, { userId, ...rotation });
  const grant = { name, clientId, scopes, projectIds, environmentIds };
  await asUser(ctx, actor).commit({
    guards: [
      { holds: queries.codeIsOpen(hash), error: invalidGrant("code") },
      { holds: queries.isActive(userId), error: invalidGrant("code") },
      { holds: queries.isStillClient(clientId), error: invalidGrant("code") },
      {
        holds: sql`(${queries.countAgents(userId, createdAt)}) < ${MAX_AGENTS}`,
        error: tooManyAgents,
      },
    ],
    statements: [
      queries.useCode(hash, familyId),
      insertToken({ ...grant, ...columns, familyId, userId, createdBy: userId, createdAt }),
    ],
    audit: [{ ...aboutToken("created", tokenIdByHash(columns.hash)), after: agentContent(grant) }],
  });
  return { ...tokens, scopes };
}

/** Ends the grant of a code that was sent again, as somebody may have stolen it. Returns the error. */
async function endGrantOfCode(ctx: Visitor, familyId: string): Promise<OAuthError> {
  const grant = await queries.findGrantByFamily(ctx.db, familyId);
  if (grant) await endGrant(ctx, grant, "agent.code-reused");
  return invalidGrant("code");
}

async function refreshGrant(
  ctx: Visitor,
  parameters: Parameters,
  resource: string,
): Promise<TokenResponse> {
  const presented = required(parameters, "refresh_token");
  const clientId = required(parameters, "client_id");
  assertResource(parameters, resource);
  const familyId = familyIdOf(presented);
  const grant =
    familyId === undefined ? undefined : await queries.findGrantByFamily(ctx.db, familyId);
  if (
    familyId === undefined ||
    grant?.agent.clientId !== clientId ||
    grant.user.status !== "ACTIVE"
  )
    throw invalidGrant("refresh token");
  const { id, createdAt, scopes } = grant.agent;
  const { columns, rotation, ...tokens } = await newGrantTokens(ctx, {
    familyId,
    at: createdAt,
    presented,
  });
  // The database comes first. If it fails, the refresh token stays valid, and the client can repeat the
  // request. In the other order, the repetition would count as theft.
  const [replaced = []] = await ctx.record([queries.replaceToken(id, columns)]);
  if (replaced.length === 0) throw invalidGrant("refresh token");
  const { outcome } = await ctx.families.refresh(familyId, await sha256(presented), rotation);
  if (outcome === "rotated") return { ...tokens, scopes };
  if (outcome === "reuse") await endGrant(ctx, grant, "agent.refresh-reused");
  else
    await ctx.record([
      outcome === "expired"
        ? queries.endExpired(id, ctx.now())
        : queries.restoreToken(grant.agent, columns.hash),
    ]);
  throw invalidGrant("refresh token");
}

/**
 * Ends the grant of an access token or a refresh token (RFC 7009). A token that is unknown, or that
 * belongs to another client, changes nothing. Throws: `OAuthError` for a missing parameter.
 */
export async function revoke(ctx: Visitor, { form }: FormInput): Promise<void> {
  const parameters = parametersOf(form);
  const token = required(parameters, "token");
  const clientId = required(parameters, "client_id");
  const grant = await grantOf(ctx, token);
  if (grant?.agent.clientId !== clientId) return;
  const { agent, user } = grant;
  const actor = { ...actorOf(user), token: { ...agent, client: agent.name } };
  await asUser(ctx, actor).commit({
    guards: [{ holds: isUnrevoked(agent.id), error: invalidGrant("token") }],
    statements: [revokeToken(agent.id, ctx.now())],
    audit: revoked(agent),
  });
}

/** Returns the grant of a token. The family id of a refresh token is as secret as the token. */
async function grantOf(ctx: Visitor, token: string): Promise<Grant | undefined> {
  if (isAgentToken(token))
    return hasRightChecksum(token)
      ? queries.findGrantByHash(ctx.db, await tokenHash(token))
      : undefined;
  const familyId = familyIdOf(token);
  return familyId === undefined ? undefined : queries.findGrantByFamily(ctx.db, familyId);
}

async function endGrant(
  ctx: Visitor,
  { agent }: Grant,
  action: "agent.code-reused" | "agent.refresh-reused",
): Promise<void> {
  await asSystem(ctx, SYSTEM).commit({
    guards: [{ holds: isUnrevoked(agent.id), error: invalidGrant("token") }],
    statements: [revokeToken(agent.id, ctx.now())],
    audit: [{ ...aboutToken("revoked", agent.id), action, before: agentContent(agent) }],
  });
}
