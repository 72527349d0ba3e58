import { randomToken, sha256 } from "../../core/lib/digest.ts";
import type { Visitor } from "../../access/call.ts";
import { type DeviceClaims, signDeviceToken } from "../../access/jwt.ts";
import type { UserRow } from "../../model/auth/queries.ts";

/**
 * Returns a digest of the user's password hash, which MFA tokens and device tokens contain. The
 * digest reveals nothing about the password.
 */
export const digestOfPassword = (user: UserRow): Promise<string> => sha256(user.passwordHash ?? "");

/** Returns a device token for a user who has signed in. A recognised device keeps its `deviceId`. */
export async function newDeviceToken(
  { tokens, now }: Pick<Visitor, "tokens" | "now">,
  user: UserRow,
  deviceId: string = randomToken(16),
): Promise<string> {
  const passwordDigest = await digestOfPassword(user);
  return signDeviceToken(tokens, { userId: user.id, passwordDigest, deviceId }, now());
}

/**
 * Returns the id of the device if this user has signed in on it with the present password;
 * undefined otherwise.
 */
export async function deviceIdOf(
  device: DeviceClaims | undefined,
  user: UserRow | undefined,
): Promise<string | undefined> {
  if (!device || user?.id !== device.userId) return undefined;
  return device.passwordDigest === (await digestOfPassword(user)) ? device.deviceId : undefined;
}
