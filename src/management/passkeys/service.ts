import type { UserActor } from "@feature-flags/permissions/permissions";
import { conflict, invalid, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { users } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import { withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { findUser, sessionLives } from "../../model/auth/queries.ts";
import { type Call, ownAccount, type RequestCall, type Writing } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { notify } from "../../mail/notify.ts";
import { unchanged } from "../../model/optimistic-update.ts";
import { newChallenge, openChallenge, PURPOSES } from "./challenge.ts";
import { addOptions } from "./options.ts";
import { verification } from "./lazy-verification.ts";
import * as queries from "../../model/passkeys/queries.ts";
import type { PasskeyRow } from "../../model/passkeys/queries.ts";
import { relyingPartyOf } from "./relying-party.ts";
import type { AddResponse } from "./schema.ts";

/** How many passkeys a user has at most. */
const MAX_PASSKEYS = 20;

type PasskeyCall = Call & Pick<RequestCall, "tokens" | "hashing" | "publicUrl" | "request">;

interface Confirmation {
  readonly currentPassword?: string | undefined;
}

const missing = () => notFound("You have no such passkey");
const taken = conflict("The passkey is registered already");
const sessionEnded = unauthorized("The session has ended; sign in again");
const notAccepted = () =>
  invalid([{ field: "response", message: "is not a valid passkey for this request; try again" }]);

/** Returns the passkeys of the signed-in user, oldest first. */
export const listPasskeys = (call: Call): Promise<PasskeyRow[]> => {
  const { db, actor } = ownAccount(call, "session:own");
  return queries.listPasskeys(db, actor.id);
};

/**
 * Returns what the browser needs to make a passkey for the signed-in user. The current password is
 * required, because a passkey of a thief with an access token would open the account for good.
 * Throws: 400 for a wrong current password, 402 for a 21st passkey, 429 after too many wrong passwords.
 */
export async function beginPasskey(call: PasskeyCall, { currentPassword }: Confirmation) {
  const ctx = ownAccount(call, "session:own");
  const relyingParty = relyingPartyOf(ctx);
  const [user, passkeys] = await Promise.all([
    ownRow(ctx),
    queries.listPasskeys(ctx.db, ctx.actor.id),
  ]);
  await withCurrentPassword(ctx, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: [...attempt.guards, unchanged(users, user), hasRoom(user.id)],
      statements: attempt.statements,
      audit: aboutUser("passkey.begun", user.id),
    }),
  );
  const challenge = await newChallenge(ctx, purposeOf(ctx));
  return addOptions({ challenge, relyingParty, passkeys }, user);
}

/**
 * Adds the passkey that the browser has made. Throws: 400 for a response that is not valid, or to other
 * options than those of this session; 402 for a 21st passkey; 409 for a registered passkey.
 */
export async function addPasskey(
  call: PasskeyCall,
  { name, response }: { readonly name: string; readonly response: AddResponse },
): Promise<PasskeyRow> {
  const ctx = ownAccount(call, "session:own");
  const { id: userId, email, sessionId = "" } = ctx.actor;
  const { clientDataJSON, transports } = response.response;
  const opened = await openChallenge(ctx, purposeOf(ctx), clientDataJSON);
  if (!opened) throw notAccepted();
  const { challenge } = opened;
  const relyingParty = relyingPartyOf(ctx);
  const { verifyNewPasskey } = await verification();
  const made = await verifyNewPasskey(response, { challenge, relyingParty }).catch(
    (error: unknown) => {
      const what = "A passkey was not accepted";
      logError("WARN", "app.passkeys", { traceId: ctx.request.traceId, what, error });
      throw notAccepted();
    },
  );
  const { guard, statement } = opened.use(notAccepted());
  const row = { ...made, userId, name, transports, createdAt: ctx.now() };
  const { aaguid, backedUp } = made;
  await ctx.commit({
    guards: [guard, { holds: sessionLives(sessionId), error: sessionEnded }, hasRoom(userId)],
    statements: [statement, queries.insertPasskey(row)],
    audit: aboutUser("passkey.added", userId, { after: { name, aaguid, backedUp } }),
    onDuplicate: taken,
  });
  notify(ctx, () => Promise.resolve([{ email }]), {
    subject: "A passkey was added to your account",
    what: `The passkey ${name} can now sign in to your account:`,
    path: "/profile/security",
    more: "If you did not add it, remove it, and change your password.",
  });
  const added = await queries.findCredential(ctx.db, made.credentialId);
  if (!added) throw missing();
  return added.passkey;
}

/** Renames a passkey of the signed-in user. Throws: 404 if the user has no such passkey. */
export async function renamePasskey(
  call: Call,
  { id, name }: ById & { readonly name: string },
): Promise<PasskeyRow> {
  const ctx = ownAccount(call, "session:own");
  const row = await find(ctx, id);
  await ctx.commit({
    guards: [exists(row)],
    statements: [queries.renamePasskey(id, name)],
    audit: aboutUser("passkey.renamed", row.userId, {
      before: { name: row.name },
      after: { name },
    }),
  });
  return { ...row, name };
}

/**
 * Removes a passkey of the signed-in user. The current password is required, because a password alone
 * signs in after the removal of the last second factor. Throws: 400 for a wrong current password, 404
 * if the user has no such passkey, 429 after too many wrong passwords.
 */
export async function removePasskey(
  call: PasskeyCall,
  { id, currentPassword }: ById & Confirmation,
): Promise<void> {
  const ctx = ownAccount(call, "session:own");
  const [user, row] = await Promise.all([ownRow(ctx), find(ctx, id)]);
  const { name, aaguid } = row;
  await withCurrentPassword(ctx, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: [...attempt.guards, unchanged(users, user), exists(row)],
      statements: [...attempt.statements, queries.deletePasskey(id)],
      audit: aboutUser("passkey.removed", user.id, { before: { name, aaguid } }),
    }),
  );
}

const purposeOf = ({ actor }: Writing<UserActor>): string => PURPOSES.add(actor.sessionId ?? "");

const hasRoom = (userId: number) =>
  belowLimit(queries.countPasskeys(userId), MAX_PASSKEYS, "passkeys of a user");

const exists = ({ id, userId }: PasskeyRow) => ({
  holds: queries.passkeyIsOf(id, userId),
  error: missing(),
});

async function find({ db, actor }: Pick<Writing<UserActor>, "db" | "actor">, id: number) {
  const row = await queries.findPasskey(db, actor.id, id);
  if (!row) throw missing();
  return row;
}

async function ownRow({ db, actor }: Pick<Writing<UserActor>, "db" | "actor">) {
  const user = await findUser(db, actor.id);
  if (!user) throw unauthorized();
  return user;
}
