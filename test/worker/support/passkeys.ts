import { Authenticator, type Tricks } from "./authenticator.ts";
import { type Answer, call, type Json } from "./client.ts";
import { PASSWORD } from "./mailbox.ts";

const PATH = "/api/v1/auth/passkeys";

/** The options to add a passkey in the session. */
export const addOptions = (token: string, body: object = { currentPassword: PASSWORD }) =>
  call("POST", `${PATH}/options`, { token, body });

export const sendPasskey = (token: string, response: Json, name = "Laptop") =>
  call("POST", PATH, { token, body: { name, response } });

/** Makes a passkey in a session whose user has the password `PASSWORD`, and adds it. */
export async function added(token: string, authenticator: Authenticator, tricks: Tricks = {}) {
  const options = await addOptions(token);
  return sendPasskey(token, await authenticator.create(options.body, tricks));
}

/** Adds a new passkey to the user of a session. Returns the authenticator and the id. */
export async function newPasskey(
  token: string,
): Promise<{ readonly authenticator: Authenticator; readonly id: number }> {
  const authenticator = await Authenticator.make();
  const answer = await added(token, authenticator);
  if (answer.status !== 201) throw new Error(`passkeys: ${answer.status}`);
  return { authenticator, id: answer.body.id };
}

export const signInOptions = async (body: object = {}): Promise<Json> =>
  (await call("POST", `${PATH}/sign-in/options`, { body })).body;

/** Sends the response of an authenticator to sign in. */
export const sendUse = (response: Json, more: object = {}): Promise<Answer<Json>> =>
  call("POST", `${PATH}/sign-in`, { body: { response, ...more } });

/** Signs in with a passkey. */
export const signInWith = async (authenticator: Authenticator, tricks: Tricks = {}) =>
  sendUse(await authenticator.get(await signInOptions(), tricks));
