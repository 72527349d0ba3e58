import { invalid, unauthorized } from "../../core/errors/api-error.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import type { AgentScope } from "../../core/oauth/endpoints.ts";
import { OAuthError } from "../../core/oauth/oauth-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { findUser } from "../../model/auth/queries.ts";
import { ownAccount, type RequestCall } from "../../access/call.ts";
import { notify } from "../../mail/notify.ts";
import { assertVisible } from "../tokens/new-token.ts";
import { agentContent } from "./agent-audit.ts";
import { type Asked, askedIn } from "./asked.ts";
import { MAX_AGENTS } from "./grant-tokens.ts";
import * as queries from "../../model/oauth/queries.ts";

/** How long a client may take to exchange a code, milliseconds. A program does it at once. */
const CODE_MS = MINUTE_MS;

/** The most codes of a user that are neither used nor expired. A person decides about one at a time. */
const MAX_OPEN_CODES = 10;

interface RequestInput {
  /** The query of the authorisation request, as the client has sent it, without the question mark. */
  readonly query: string;
}

/**
 * Returns what a client asks of the signed-in user. Throws: 400 for a parameter that occurs twice; 400
 * with the field `client_id` or `redirect_uri` if the service does not know who asks; 503 if `PUBLIC_URL`
 * is missing.
 */
export async function readAuthorization(
  call: RequestCall,
  { query }: RequestInput,
): Promise<Asked> {
  const ctx = ownAccount(call, "token:own");
  return askedIn({ ...call, ...ctx }, query);
}

/** What a user lets a client do, and the proof that it is the user who decides. */
interface Approval extends RequestInput {
  readonly scopes: readonly AgentScope[];
  readonly projectIds?: readonly number[] | null | undefined;
  readonly environmentIds?: readonly number[] | null | undefined;
  readonly currentPassword?: string | undefined;
}

/**
 * Gives a client a code, which it can exchange for tokens of the signed-in user within a minute. Sends the
 * user an e-mail. Returns the URL at which the browser tells the client. Throws: the errors of
 * `readAuthorization`; 400 for a request that is not valid, for scopes for which the client has not asked,
 * for a wrong current password, and for projects and environments that do not exist or that the user cannot
 * see; 402 if the user has too many agents or open codes; 429 after too many wrong passwords.
 */
export async function approveAuthorization(
  call: RequestCall,
  { query, currentPassword, ...input }: Approval,
): Promise<string> {
  const ctx = ownAccount(call, "token:own");
  const { client, redirectUri, request, answerAt } = await askedIn({ ...call, ...ctx }, query);
  if (request instanceof OAuthError) throw request;
  if (input.scopes.some((scope) => !request.scopes.includes(scope)))
    throw invalid([{ field: "scopes", message: "must be scopes for which the client has asked" }]);
  const limits = {
    projectIds: input.projectIds ?? null,
    environmentIds: input.environmentIds ?? null,
  };
  await assertVisible(call, { account: undefined, ...limits });
  const user = await findUser(ctx.db, ctx.actor.id);
  if (!user) throw unauthorized();
  const now = ctx.now();
  const code = randomToken(32);
  const row = {
    hash: await sha256(code),
    userId: user.id,
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    challenge: request.challenge,
    scopes: input.scopes,
    ...limits,
    createdAt: now,
    expiresAt: now + CODE_MS,
  };
  const { scopes } = input;
  const content = agentContent({ name: client.name, clientId: client.id, scopes, ...limits });
  await withCurrentPassword({ ...call, ...ctx }, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: [
        ...attempt.guards,
        belowLimit(
          queries.countOpenCodes(user.id, now),
          MAX_OPEN_CODES,
          "open codes of a user",
          "try again when one has expired",
        ),
        belowLimit(queries.countAgents(user.id, now), MAX_AGENTS, "agents of a user"),
      ],
      statements: [...attempt.statements, queries.insertCode(row)],
      audit: aboutUser("agent.approved", user.id, { after: { ...content, redirectUri } }),
    }),
  );
  notify(call, async () => [{ email: user.email }], {
    subject: `You have connected an agent: ${client.name}`,
    what: `${client.name} (${client.host ?? "registered by an administrator"}) may now call the service with your rights: ${scopes.join(" and ")}.`,
    path: "/profile/tokens",
    more: "If you did not do this, revoke the access under Connected agents on your profile page, and change your password.",
  });
  return answerAt({ code });
}

/**
 * Denies a client what it asks for. Returns the URL at which the browser tells the client. Throws: the
 * errors of `readAuthorization`.
 */
export async function denyAuthorization(
  call: RequestCall,
  { query }: RequestInput,
): Promise<string> {
  const ctx = ownAccount(call, "token:own");
  const { client, answerAt } = await askedIn({ ...call, ...ctx }, query);
  await ctx.commit({
    guards: [],
    statements: [],
    audit: aboutUser("agent.denied", ctx.actor.id, {
      after: { name: client.name, clientId: client.id },
    }),
  });
  return answerAt(new OAuthError("access_denied", "The user has denied the request"));
}
