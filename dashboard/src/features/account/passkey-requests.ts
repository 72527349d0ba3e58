import { read, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { loadPasskeys } from "../../shared/session/passkeys.ts";

export type Passkey = Schemas["Passkey"];

/** The query (React Query) for the passkeys of the signed-in user, oldest first. */
export const passkeysQuery = read("/api/v1/auth/passkeys");

interface NewPasskey {
  name: string;
  confirmation: Schemas["PasskeyConfirmation"];
}

/**
 * Lets the browser make a passkey, and adds it to the signed-in user.
 * Throws: ApiError 400 for a wrong password, 402 above the limit, 429 after too many wrong passwords;
 * the error of the browser if it has made no passkey.
 */
export async function addPasskey({ name, confirmation }: NewPasskey): Promise<Passkey> {
  const { startRegistration } = await loadPasskeys();
  const optionsJSON = await send("post", "/api/v1/auth/passkeys/options", { body: confirmation });
  const response = await startRegistration({ optionsJSON });
  return send("post", "/api/v1/auth/passkeys", { body: { name, response } });
}

/** Throws: ApiError. */
export const renamePasskey = ({ id, name }: Pick<Passkey, "id" | "name">): Promise<Passkey> =>
  send("put", "/api/v1/auth/passkeys/{id}", { path: { id }, body: { name } });

interface Removal {
  id: number;
  confirmation: Schemas["PasskeyConfirmation"];
}

/** Throws: ApiError 400 for a wrong password, 429 after too many wrong passwords. */
export const removePasskey = ({ id, confirmation }: Removal) =>
  send("delete", "/api/v1/auth/passkeys/{id}", { path: { id }, body: confirmation });
