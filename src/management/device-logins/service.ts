import type { UserActor, Scope } from "@feature-flags/permissions/permissions";
import { createHmac } from "node:crypto";
import { networkOf, siteOf } from "@feature-flags/evaluation/ip";
import { newUserCode, shownUserCode } from "../../core/credentials/user-code.ts";
import { ApiError, notFound, tooManyRequests, unauthorized } from "../../core/errors/api-error.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Guard } from "../../db/guards.ts";
import { withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { attemptPassword } from "../../workflows/sign-in/lockout.ts";
import { findUser } from "../../model/auth/queries.ts";
import {
  asUser,
  ownAccount,
  type RequestCall,
  type Visitor,
  type Writing,
} from "../../access/call.ts";
import { assertPublicUrl } from "../../mail/mails.ts";
import { notify } from "../../mail/notify.ts";
import { assertVisible, newToken, tokensBelowLimit } from "../tokens/new-token.ts";
import { findTokenByHash, type TokenRow } from "../../model/tokens/queries.ts";
import * as queries from "../../model/device-logins/queries.ts";
import type { DeviceLoginRow } from "../../model/device-logins/queries.ts";

/** How long a login is open, milliseconds: time to find a browser, and to sign in there. */
const LIFETIME_MS = 15 * MINUTE_MS;

/** How long a device waits between two polls, milliseconds (RFC 8628, section 3.5). */
const INTERVAL_MS = 5_000;

/** How much earlier a poll may arrive, milliseconds, because requests do not all take the same time. */
const TOLERANCE_MS = 1_000;

/**
 * The most logins that are open at a time. Polls of 50 devices reach the rate limit of a network. With
 * 5,000 logins, a guess of a user code finds one of them with a probability of 1 in 5 million. A new login
 * above 5,000 replaces an older one, so that no stranger keeps others from a login.
 */
const LIMITS = { ofNetwork: 50, all: 5_000 };

/** How long a token lives that a device gets, days. */
const TOKEN_DAYS = 90;

const unknownCode = () => notFound("The code is unknown, was used or has expired");

const ended = () =>
  new ApiError(
    "EXPIRED_TOKEN",
    "The device code is unknown, was used or is not valid any more; begin the login again",
  );
const denied = () =>
  new ApiError(
    "ACCESS_DENIED",
    "The login was denied, or the user who approved it is not active; begin a new login, or ask an administrator",
  );

/** Returns the HMAC of a user code, because a code could be guessed from its plain hash. */
const hashOf = ({ tokens: { secrets } }: Pick<Visitor, "tokens">, userCode: string): string =>
  createHmac("sha256", secrets[0]).update(`user code ${userCode}`).digest("base64url");

/** What a device gets that begins a login. `expiresIn` and `interval` are seconds. */
interface BegunLogin {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  readonly expiresIn: number;
  readonly interval: number;
}

/**
 * Begins a login on a device (RFC 8628, section 3.1). Throws: 429 while too many logins of the
 * network are open, 503 if `PUBLIC_URL` is missing.
 */
export async function beginDeviceLogin(
  ctx: Visitor,
  { clientName }: { readonly clientName: string },
): Promise<BegunLogin> {
  const verificationUri = new URL("/device", assertPublicUrl(ctx)).href;
  const [deviceCode, userCode] = [randomToken(32), newUserCode()];
  const { ip, userAgent = null } = ctx.request;
  const createdAt = ctx.now();
  const login = {
    deviceHash: await sha256(deviceCode),
    userCodeHash: hashOf(ctx, userCode),
    clientName,
    ip: ip ?? null,
    userAgent,
    network: ip === undefined ? null : (siteOf(ip) ?? networkOf(ip)),
    createdAt,
    expiresAt: createdAt + LIFETIME_MS,
  };
  const [inserted = []] = await ctx.record([
    queries.insertLogin(login, LIMITS),
    queries.giveUpOne(login, LIMITS),
  ]);
  if (inserted.length === 0)
    throw tooManyRequests(
      `The login could not begin, usually because ${LIMITS.ofNetwork} logins on devices of your network are open; try again in a minute, and then in ${LIFETIME_MS / MINUTE_MS} minutes`,
      MINUTE_MS,
    );
  const shown = shownUserCode(userCode);
  return {
    deviceCode,
    userCode: shown,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${shown}`,
    expiresIn: LIFETIME_MS / 1000,
    interval: INTERVAL_MS / 1000,
  };
}

/**
 * Gives a device the token of an approved login, once (RFC 8628, section 3.4). The token is made here and
 * not by the approval, because only its hash may be stored. Throws: 400 AUTHORIZATION_PENDING until
 * somebody has decided, SLOW_DOWN for a poll that comes too early, ACCESS_DENIED after a denial and for a
 * user who is not active any more, EXPIRED_TOKEN for an unknown, used or expired device code; 402 if the
 * user has too many tokens.
 */
export async function takeDeviceToken(
  ctx: Visitor,
  { deviceCode }: { readonly deviceCode: string },
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const found = await queries.findOfDevice(ctx.db, await sha256(deviceCode), ctx.now());
  if (!found) throw ended();
  const { login, user } = found;
  const { id, decision, scopes, clientName: name, projectIds, environmentIds } = login;
  if (decision === null) throw await pending(ctx, login);
  // Nobody has denied the login: the service has given it up (`giveUpOne`).
  if (decision === "denied" && login.decidedBy === null) throw ended();
  if (decision === "denied" || user?.status !== "ACTIVE" || !scopes) throw denied();
  const { token, hash, ...change } = await newToken(
    { userId: user.id },
    { name, scopes, projectIds, environmentIds },
    { createdBy: user.id, createdAt: ctx.now(), expiresInDays: TOKEN_DAYS },
  );
  await asUser(ctx, user).commit({
    guards: [
      { holds: queries.isThere(id), error: ended() },
      { holds: queries.isActive(user.id), error: denied() },
      ...change.guards,
    ],
    statements: [queries.deleteLogin(id), ...change.statements],
    audit: change.audit,
  });
  const row = await findTokenByHash(ctx.db, hash);
  if (!row) throw ended();
  return { row, token };
}

/** Notes the time of a poll of a login that waits for a decision. Returns the error. */
async function pending(ctx: Visitor, { id, polledAt }: DeviceLoginRow): Promise<ApiError> {
  const now = ctx.now();
  if (polledAt !== null && now - polledAt < INTERVAL_MS - TOLERANCE_MS)
    return new ApiError("SLOW_DOWN", `Wait ${INTERVAL_MS / 1000} seconds longer between requests`);
  await ctx.record([queries.markPolled(id, now)]);
  return new ApiError("AUTHORIZATION_PENDING", "Nobody has approved the login yet; ask again");
}

interface ByUserCode {
  /** The user code in capital letters, without the dash. */
  readonly userCode: string;
}

/**
 * Returns the login with a user code that waits for a decision. From then on, other logins do not replace
 * it. Throws: 404 for an unknown, used or expired code; 429 after too many of them.
 */
export async function findDeviceLogin(
  call: RequestCall,
  { userCode }: ByUserCode,
): Promise<DeviceLoginRow> {
  const ctx = ownAccount(call, "token:own");
  return withUserCode({ ...call, ...ctx }, userCode, async (login) => {
    await ctx.record([queries.markOpened(login.id, ctx.actor.id)]);
    return login;
  });
}

/** What a user lets a device do, and the proof that it is the user who approves. */
interface Approval extends ByUserCode {
  readonly scopes: readonly Scope[];
  readonly projectIds?: readonly number[] | null | undefined;
  readonly environmentIds?: readonly number[] | null | undefined;
  readonly currentPassword?: string | undefined;
}

/**
 * Approves a login: the device can then take a token of the signed-in user. Sends the user an e-mail.
 * Throws: 400 for a wrong current password, and for projects and environments that do not exist or that
 * the user cannot see; 402 if the user has too many tokens; 404 for an unknown, used or expired code; 429
 * after too many wrong codes or passwords.
 */
export async function approveDeviceLogin(
  call: RequestCall,
  { userCode, scopes, currentPassword, ...input }: Approval,
): Promise<DeviceLoginRow> {
  const ctx = ownAccount(call, "token:own");
  const { actor } = ctx;
  const limits = {
    projectIds: input.projectIds ?? null,
    environmentIds: input.environmentIds ?? null,
  };
  await assertVisible(call, { account: undefined, ...limits });
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw unauthorized();
  const decision = { decision: "approved", decidedBy: user.id, scopes, ...limits } as const;
  const both = { ...call, ...ctx };
  const approved = await withUserCode(both, userCode, (login, ofCode) =>
    withCurrentPassword(both, { user, currentPassword }, async (attempt) => {
      await ctx.commit({
        guards: [
          ...ofCode,
          ...attempt.guards,
          { holds: queries.isWaiting(login.id), error: unknownCode() },
          tokensBelowLimit({ userId: user.id }, ctx.now()),
        ],
        statements: [...attempt.statements, queries.decide(login.id, decision)],
        audit: aboutUser("device-login.approved", user.id, {
          after: { ...loginContent(login), scopes, ...limits },
        }),
      });
      return { ...login, ...decision };
    }),
  );
  const { clientName, ip } = approved;
  notify(call, async () => [{ email: user.email }], {
    subject: `You have signed in on a device: ${clientName}`,
    what: `A login of ${clientName} from ${ip ?? "an unknown address"} was approved with your account. The device gets a token for ${TOKEN_DAYS} days.`,
    path: "/profile/tokens",
    more: "If you did not approve this, revoke the token on your profile page, and change your password.",
  });
  return approved;
}

/**
 * Denies a login: its device gets no token. Throws: 404 for an unknown, used or expired code; 429 after
 * too many wrong codes.
 */
export async function denyDeviceLogin(
  call: RequestCall,
  { userCode }: ByUserCode,
): Promise<DeviceLoginRow> {
  const ctx = ownAccount(call, "token:own");
  const decision = { decision: "denied", decidedBy: ctx.actor.id } as const;
  return withUserCode({ ...call, ...ctx }, userCode, async (login, guards) => {
    await ctx.commit({
      guards: [...guards, { holds: queries.isWaiting(login.id), error: unknownCode() }],
      statements: [queries.decide(login.id, decision)],
      audit: aboutUser("device-login.denied", ctx.actor.id, { after: loginContent(login) }),
    });
    return { ...login, ...decision };
  });
}

/**
 * Calls `use` with the login that has a user code and waits for a decision, and with the guards that a
 * commit of `use` must contain. A wrong code counts like a wrong password for the network, and for the
 * user in all sessions together; it does not lock sign-ins. A right code does not end the count:
 * otherwise somebody could guess without limit, with a login of their own after each nine wrong codes.
 * Throws: 404 for a wrong code, 429 after too many; the errors of `use`.
 */
async function withUserCode<T>(
  ctx: Writing<UserActor> & Pick<RequestCall, "tokens" | "limits">,
  userCode: string,
  use: (login: DeviceLoginRow, guards: readonly Guard[]) => Promise<T>,
): Promise<T> {
  const { failures } = ctx.limits;
  failures.check("login");
  const subject = { email: ctx.actor.email, ofUserCodes: true };
  return attemptPassword(ctx, subject, async (attempt) => {
    const login = await queries.findWaiting(ctx.db, hashOf(ctx, userCode), ctx.now());
    if (login) return use(login, attempt.guards);
    failures.count("login");
    await attempt.fail(ctx, "device-login.refused");
    throw unknownCode();
  });
}

const loginContent = ({ clientName, ip, userAgent }: DeviceLoginRow) => ({
  clientName,
  ip,
  userAgent,
});
