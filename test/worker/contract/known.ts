import { env } from "cloudflare:workers";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { call } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { enrolled, signedInWithPassword, withSecondFactor } from "../support/factors.ts";
import { approve, newDeviceLogin } from "../support/device-logins.ts";
import { newLink } from "../support/links.ts";
import { endedDelivery, receiver } from "../support/receiver.ts";
import { ADMIN, person } from "../support/people.ts";
import { newSession, signedIn } from "../support/sessions.ts";
import { FakeIdp, network, publicKeys, signed } from "../support/fake-idp.ts";
import { Authenticator } from "../support/authenticator.ts";
import { connected, newClient, queryOf, withCode } from "../support/oauth.ts";
import { addOptions, newPasskey, signInOptions } from "../support/passkeys.ts";
import { newProvider } from "../support/providers.ts";
import { newEmail, providerOf } from "../support/sign-on.ts";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import {
  newContext,
  newEnvironment,
  newFlag,
  newIntegration,
  newKey,
  newProject,
  newSegment,
  newSharedFilter,
  newTag,
  newValue,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

/** The resources and tokens with which each route can be called successfully. */
export type Known = Awaited<ReturnType<typeof everything>>;

/**
 * Creates two resources of each kind: one to use and one to delete. Also creates the users and
 * tokens that a single route uses up.
 */
export async function everything() {
  const { projectId, environmentId, keyId, apiKey } = await newWorld();
  const administrator = await signedIn("ADMIN");
  receiver();
  const integration = await newIntegration(projectId);
  const [flag, other] = [await newFlag(projectId), await newFlag(projectId)];
  return {
    projectId,
    projectName: (await asAdmin("GET", `/api/v1/projects/${projectId}`)).body.name as string,
    environmentId,
    keyId,
    apiKey,
    flagId: flag.id as number,
    flagKey: flag.key as string,
    otherFlagId: other.id as number,
    otherFlagKey: other.key as string,
    segmentId: (await newSegment(projectId, [])).id as number,
    tagId: (await newTag(projectId)).id as number,
    sharedFilterId: (await newSharedFilter(projectId)).id as number,
    contextId: (await newContext(projectId)).id as number,
    // This value belongs to a second context definition, because another route replaces all values
    // of the first one, `contextId`.
    valueId: (await newValue((await newContext(projectId)).id)).id as number,
    integrationId: integration.id as number,
    deliveryId: await endedDelivery(integration as { id: number; projectId: number }),
    userId: await colleague(),
    approverId: (await person("ADMIN")).id,
    invitedId: (await newLink("INVITE")).id,
    ...(await doomedAndCopied(projectId, environmentId, administrator.id)),
    ...(await links()),
    login: ADMIN,
    token: administrator.token,
    plainToken: (await newToken({ userId: administrator.id, scopes: ["read"] })).token,
    agentToken: (await newToken({ userId: administrator.id, scopes: ["write"] })).token,
    // This refresh token belongs to a second session, because a test that sends it twice ends its
    // session.
    refreshToken: (await signedIn("ADMIN")).refreshToken,
    reverted: await reverted(projectId, environmentId),
    requests: await changeRequests(projectId, environmentId),
    ramps: await ramps(projectId, environmentId),
    serviceAccountId: await newServiceAccount("DEVELOPER", projectId),
    unique: unique("known"),
    signOn: await signOn(administrator.id),
    device: await deviceLogins(),
    oauth: await oauth(administrator.id),
    passkeys: await passkeys(),
  };
}

/** Creates the passkeys that routes use, and the responses of authenticators that routes use up. */
async function passkeys() {
  const [owner, adder] = [await signedInWithPassword(), await signedInWithPassword()];
  const { authenticator, id } = await newPasskey(owner.token);
  const options = await addOptions(adder.token);
  return {
    token: owner.token,
    id,
    doomedId: (await newPasskey(owner.token)).id,
    adder: adder.token,
    added: await (await Authenticator.make()).create(options.body),
    used: await authenticator.get(await signInOptions()),
  };
}

/** Creates the identity providers that routes use, and what a person at them has proved. */
async function signOn(userId: number) {
  const idp = new FakeIdp();
  const issuer = `https://team-${crypto.randomUUID()}.cloudflareaccess.com`;
  network(idp.host, [issuer, async () => Response.json(await publicKeys())], RECEIVER);
  const oidc = await providerOf(idp);
  const access = await newProvider({ type: "access", issuer, domains: ["example.com"] });
  const [slug, code] = [unique("github"), unique("code")];
  const { id } = await newProvider({ type: "github", slug });
  // With two accounts, the user can unlink one of them.
  for (const one of [oidc.issuer, issuer]) await insertIdentity(one, userId);
  await insertCode(await sha256(code), oidc.issuer, userId);
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: SUBJECT, iat: now, exp: now + 3600 };
  const event = { "http://schemas.openid.net/event/backchannel-logout": {} };
  return {
    providerId: id as number,
    doomedId: (await newProvider({ type: "github" })).id as number,
    slug,
    code,
    oidcSlug: oidc.slug as string,
    accessSlug: access.slug as string,
    assertion: await signed({ ...claims, iss: issuer, aud: "client", email: newEmail() }),
    logoutToken: await signed({
      ...claims,
      iss: oidc.issuer,
      aud: "client",
      jti: slug,
      events: event,
    }),
    identityId: await sha256(`${oidc.issuer} ${SUBJECT}`),
  };
}

const SUBJECT = "subject-1";

/** Begins logins on devices for different routes, and approves one, so that its device can take a token. */
async function deviceLogins() {
  const { deviceCode, userCode } = await newDeviceLogin();
  const { token } = await signedInWithPassword();
  await approve(token, { userCode });
  const codes = [await newDeviceLogin(), await newDeviceLogin(), await newDeviceLogin()];
  const [read = "", approved = "", denied = ""] = codes.map((begun) => begun.userCode);
  return { deviceCode, read, approved, denied };
}

/** Creates a client with a code, and the grants that routes end, one of them of the administrator. */
async function oauth(administratorId: number) {
  const [{ clientId, code }, ended, own] = [await withCode(), await connected(), await connected()];
  const agent = await env.DB.prepare(
    "UPDATE access_tokens SET user_id = ? WHERE user_id = ? RETURNING id",
  )
    .bind(administratorId, own.user.id)
    .first<{ id: number }>();
  // The tests of a whole file run for longer than a code lives.
  await env.DB.prepare("UPDATE oauth_codes SET expires_at = ? WHERE client_id = ?")
    .bind(Date.now() + 3_600_000, clientId)
    .run();
  const registered = await env.DB.prepare("SELECT id FROM oauth_clients WHERE client_id = ?")
    .bind(await newClient())
    .first<{ id: number }>();
  return {
    clientId,
    code,
    query: await queryOf(clientId),
    revoked: { client_id: ended.clientId, token: ended.tokens.access_token },
    doomedId: agent?.id ?? 0,
    doomedClientId: registered?.id ?? 0,
  };
}

/** The receiver of the webhooks of `newIntegration`. */
const RECEIVER = ["https://receiver.example.com", () => new Response("thank you")] as const;

const insertIdentity = (issuer: string, userId: number) =>
  env.DB.prepare(
    "INSERT INTO identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, 1)",
  )
    .bind(issuer, SUBJECT, userId)
    .run();

const insertCode = (hash: string, issuer: string, userId: number) =>
  env.DB.prepare(
    `INSERT INTO sign_on_codes (hash, user_id, method, issuer, mfa, ends_at, expires_at)
     VALUES (?, ?, 'oidc', ?, 0, ?, ?)`,
  )
    .bind(hash, userId, issuer, Date.now() + 3_600_000, Date.now() + 3_600_000)
    .run();

/** A change request with the hash that routes need. */
interface KnownRequest {
  readonly id: number;
  readonly hash: string;
}

/** Opens change requests of a developer, each about a flag of its own, for different routes. */
async function changeRequests(projectId: number, environmentId: number) {
  const { token } = await person("DEVELOPER");
  const open = async (more: object = {}): Promise<KnownRequest> => {
    const { id: flagId } = await newFlag(projectId);
    const operations = [
      { kind: "strategy.set", target: { flagId, environmentId }, input: { percentage: 50 } },
    ];
    const body = { projectId, title: "More users", operations, ...more };
    return (await call<KnownRequest>("POST", "/api/v1/change-requests", { token, body })).body;
  };
  const outdated = await open();
  const { operations } = (await asAdmin("GET", `/api/v1/change-requests/${outdated.id}`)).body;
  await setStrategy(operations[0].targetId, { environmentId, hashKey: "other" });
  return {
    outdated,
    edited: await open({ applyAt: new Date(Date.now() + 30 * DAY_MS).toISOString() }),
    reviewed: await open(),
    applied: await open(),
    closed: await open(),
  };
}

/** Starts ramps, each of a flag of its own, for different routes. */
async function ramps(projectId: number, environmentId: number) {
  const start = async (holdMinutes: number | null) => {
    const { id: flagId } = await newFlag(projectId);
    const steps = [
      { exactPercentage: 10, holdMinutes },
      { exactPercentage: 20, holdMinutes: 60 },
    ];
    const stop = { action: "pause" };
    const { body } = await asAdmin("POST", "/api/v1/ramps", { flagId, environmentId, steps, stop });
    return body as { id: number; stopUrl: string };
  };
  const paused = await start(60);
  await asAdmin("POST", `/api/v1/ramps/${paused.id}/pause`);
  return {
    running: (await start(60)).id,
    paused: paused.id,
    waiting: (await start(null)).id,
    aborted: (await start(60)).id,
    stopToken: (await start(60)).stopUrl.split("/").at(-1) ?? "",
  };
}

/** Creates an active user whose password no test knows. */
async function colleague(): Promise<number> {
  const { id } = await person("VIEWER");
  await env.DB.prepare("UPDATE users SET password_hash = 'unknown' WHERE id = ?").bind(id).run();
  return id;
}

/** Creates a flag and a segment with one audit record each that a route can revert. */
async function reverted(projectId: number, environmentId: number) {
  const flag = await newFlag(projectId);
  const segment = await newSegment(projectId, []);
  await setStrategy(flag.id, { environmentId, enabled: true });
  await asAdmin("PUT", `/api/v1/flags/${flag.id}`, { name: "Renamed" });
  await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { description: "Changed" });
  const recordOf = async (action: string, id: number): Promise<number> =>
    (await asAdmin("GET", `/api/v1/audit?action=${action}&entityId=${id}`)).body.items[0].id;
  return {
    flagId: flag.id as number,
    segmentId: segment.id as number,
    flagUpdate: await recordOf("flag.updated", flag.id),
    strategyUpdate: await recordOf("strategy.updated", flag.id),
    segmentUpdate: await recordOf("segment.updated", segment.id),
  };
}

/**
 * Creates the resources that routes delete. One of them is a flag with a strategy in the
 * environment that a route deletes.
 */
async function doomedAndCopied(projectId: number, environmentId: number, administratorId: number) {
  const all = await doomed(projectId, environmentId, administratorId);
  const { id: flagId } = (await newFlag(projectId)) as { id: number };
  await setStrategy(flagId, { environmentId, percentage: 5 });
  await setStrategy(flagId, { environmentId: all.environmentId, percentage: 10 });
  return { doomed: all, copied: { flagId, fromEnvironmentId: all.environmentId } };
}

async function tokenOfService(projectId: number): Promise<number> {
  const serviceAccountId = await newServiceAccount("DEVELOPER", projectId);
  return (await newToken({ serviceAccountId, scopes: ["read"] })).id;
}

async function doomed(projectId: number, environmentId: number, administratorId: number) {
  const flag = await newFlag(projectId);
  await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
  return {
    projectId: (await newProject()).id as number,
    environmentId: (await newEnvironment(projectId)).id as number,
    flagId: flag.id as number,
    segmentId: (await newSegment(projectId, [])).id as number,
    keyId: (await newKey(environmentId)).id as number,
    serviceAccountId: await newServiceAccount("DEVELOPER", projectId),
    /** The id of a token of another service account. */
    tokenId: await tokenOfService(projectId),
    sharedFilterId: (await newSharedFilter(projectId)).id as number,
    tagId: (await newTag(projectId)).id as number,
    contextId: (await newContext(projectId)).id as number,
    valueId: (await newValue((await newContext(projectId)).id)).id as number,
    integrationId: (await newIntegration(projectId)).id as number,
    userId: (await person("VIEWER")).id,
    /** The id of a user whose second factor a route deletes. */
    protectedId: (await withSecondFactor()).id,
    sessionId: (await newSession(administratorId)).familyId,
  };
}

/** Creates a user for the logout, and for each route that uses up a link token or a code. */
async function links() {
  return {
    leaving: await signedIn("VIEWER"),
    invitation: (await newLink("INVITE")).token,
    unusedInvitation: (await newLink("INVITE")).token,
    reset: (await newLink("RESET")).token,
    unprotected: await signedInWithPassword(),
    maker: await signedInWithPassword(),
    enrolled: await enrolled(),
    firstStep: await withSecondFactor(),
    forgetful: await withSecondFactor(),
    tired: await withSecondFactor(),
  };
}
