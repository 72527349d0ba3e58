import { unauthorized } from "../../core/errors/api-error.ts";
import { isCounterRegression } from "../../core/passkeys/counter.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { logError } from "../../http/log.ts";
import { deviceIdOf, digestOfPassword } from "../../workflows/sign-in/device.ts";
import { verifyDeviceToken, verifyMfaToken } from "../../access/jwt.ts";
import { unlock } from "../../workflows/sign-in/lockout.ts";
import { mayUsePassword, refusePassword } from "../../workflows/sign-in/password-sign-in.ts";
import { findUser, type UserRow } from "../../model/auth/queries.ts";
import { type NewSession, startSession } from "../../workflows/sign-in/sign-in.ts";
import { asUser, type Visitor } from "../../access/call.ts";
import { notify } from "../../mail/notify.ts";
import { newChallenge, openChallenge, PURPOSES } from "./challenge.ts";
import { signInOptions } from "./options.ts";
import * as queries from "../../model/passkeys/queries.ts";
import type { PasskeyRow } from "../../model/passkeys/queries.ts";
import { verification } from "./lazy-verification.ts";
import { relyingPartyOf, userHandleOf } from "./relying-party.ts";
import type { SignInResponse } from "./schema.ts";

const firstStepVoid = () => unauthorized("The sign-in has expired; sign in again");
/** The same for every reason, so that nobody learns whether a passkey or its user exists. */
const refused = () =>
  unauthorized("The passkey is not known or not valid, or the sign-in has expired; try again");

/**
 * Returns what the browser needs to use a passkey: any passkey of the domain, or with an MFA token one
 * of its user. Throws: 401 for an MFA token that is not valid.
 */
export async function beginPasskeySignIn(
  ctx: Visitor,
  { mfaToken }: { readonly mfaToken?: string | undefined },
) {
  const relyingParty = relyingPartyOf(ctx);
  if (mfaToken === undefined) {
    const challenge = await newChallenge(ctx, PURPOSES.signIn());
    return signInOptions({ challenge, relyingParty, passkeys: [] });
  }
  const { user } = await firstStepOf(ctx, mfaToken);
  const passkeys = await queries.listPasskeys(ctx.db, user.id);
  const challenge = await newChallenge(ctx, await PURPOSES.secondFactor(mfaToken));
  return signInOptions({ challenge, relyingParty, passkeys });
}

interface Input {
  readonly response: SignInResponse;
  readonly mfaToken?: string | undefined;
  readonly deviceToken?: string | undefined;
}

/**
 * Signs in with a passkey, which is two factors; or completes the sign-in of an MFA token.
 * Throws: 401 for an invalid MFA token, a response that is not valid, an unknown passkey, a counter that
 * has not grown, or an inactive user; 403 if passwords are turned off and the sign-in is not at a
 * provider; 429 after too many failed sign-ins from the network.
 */
export async function signInWithPasskey(ctx: Visitor, input: Input): Promise<NewSession> {
  ctx.limits.failures.check("login");
  const { response, mfaToken } = input;
  const first = mfaToken === undefined ? undefined : await firstStepOf(ctx, mfaToken);
  const { found, use } = await proved(ctx, response, {
    purpose: mfaToken === undefined ? PURPOSES.signIn() : await PURPOSES.secondFactor(mfaToken),
    userId: first?.user.id,
  });
  const { user, passwordSignIn } = found;
  const device = await verifyDeviceToken(ctx.tokens, input.deviceToken ?? "", ctx.now());
  const deviceId = await deviceIdOf(device, user);
  if (first)
    return startSession(ctx, user, {
      hasMfa: true,
      deviceId,
      via: first.via,
      guards: use.guards,
      statements: [...use.statements, unlock(ctx, { email: user.email, deviceId })],
    });
  if (!mayUsePassword(ctx, user, passwordSignIn)) throw await refusePassword(ctx, user, use);
  return startSession(ctx, user, { hasMfa: true, method: "passkey", deviceId, ...use });
}

/** Returns the user of an MFA token, and the provider. Throws: 401 if the token is not valid. */
async function firstStepOf(ctx: Visitor, mfaToken: string) {
  const claims = await verifyMfaToken(ctx.tokens, mfaToken, ctx.now());
  const user = claims && (await findUser(ctx.db, claims.userId));
  if (user?.status !== "ACTIVE" || claims?.passwordDigest !== (await digestOfPassword(user)))
    throw firstStepVoid();
  return { user, via: claims.via };
}

/** What is committed with the session: the challenge and the counter are used once. */
interface Use {
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
}

interface Expected {
  readonly purpose: string;
  /** The user to whom the passkey must belong. Undefined: any user. */
  readonly userId: number | undefined;
}

type Found = NonNullable<Awaited<ReturnType<typeof queries.findCredential>>>;

/** Verifies a response. Counts a failure of the network, and throws 401, if it is not valid. */
async function proved(
  ctx: Visitor,
  response: SignInResponse,
  { purpose, userId }: Expected,
): Promise<{ readonly found: Found; readonly use: Use }> {
  const { clientDataJSON, userHandle } = response.response;
  const relyingParty = relyingPartyOf(ctx);
  const [opened, found] = await Promise.all([
    openChallenge(ctx, purpose, clientDataJSON),
    queries.findCredential(ctx.db, response.id),
  ]);
  const fail = () => {
    ctx.limits.failures.count("login");
    return refused();
  };
  if (!opened || found?.user.status !== "ACTIVE") throw fail();
  const { passkey, user } = found;
  // An authenticator leaves out the user only if the options named the passkey.
  const owner = userId === undefined ? userHandle : (userHandle ?? userHandleOf(user.id));
  if (owner !== userHandleOf(user.id) || (userId ?? user.id) !== user.id) throw fail();
  const { challenge } = opened;
  const { verifyUse } = await verification();
  const { counter, backedUp } = await verifyUse(response, passkey, {
    challenge,
    relyingParty,
  }).catch((error: unknown) => {
    const what = "The use of a passkey was not accepted";
    logError("WARN", "app.passkeys", { traceId: ctx.request.traceId, what, error });
    throw fail();
  });
  const { guard, statement } = opened.use(refused());
  if (isCounterRegression(passkey.counter, counter)) {
    await reportCopy(ctx, found, { guards: [guard], statements: [statement] });
    throw fail();
  }
  return {
    found,
    use: {
      guards: [guard, { holds: queries.counterGrows(passkey.id, counter), error: refused() }],
      statements: [
        statement,
        queries.touchPasskey(passkey.id, { counter, backedUp, lastUsedAt: ctx.now() }),
      ],
    },
  };
}

/**
 * Audits that the counter of a passkey has not grown, which it does when somebody uses a copy of the
 * passkey, and tells the user.
 */
async function reportCopy(
  ctx: Visitor,
  { user, passkey }: { readonly user: UserRow; readonly passkey: PasskeyRow },
  use: Use,
): Promise<void> {
  const { name, aaguid } = passkey;
  const writer = asUser(ctx, user);
  await writer.commit({
    ...use,
    audit: aboutUser("passkey.copied", user.id, { after: { name, aaguid } }),
  });
  notify(writer, () => Promise.resolve([{ email: user.email }]), {
    subject: "A passkey of your account may have been copied",
    what: `A sign-in with the passkey ${name} was refused, because it was older than the last one:`,
    path: "/profile/security",
    more: "Somebody may have a copy of the passkey. Remove it, and add a new one.",
  });
}
