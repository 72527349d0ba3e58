import { Failure } from "../failure.ts";
import { readUser, writeUser } from "../files.ts";
import type { Terminal } from "../terminal.ts";

/** Removes a profile with its token from the user's settings. */
export async function run(
  terminal: Terminal,
  options: { readonly profile?: string; readonly json?: boolean },
): Promise<void> {
  const user = readUser();
  const name = options.profile ?? user.current;
  if (name === undefined || !Object.hasOwn(user.profiles, name))
    throw new Failure("usage", name === undefined ? "No profile is set" : `No profile ${name}`, {
      remedy: `Profiles that exist: ${Object.keys(user.profiles).join(", ") || "none"}.`,
    });
  const { [name]: removed, ...profiles } = user.profiles;
  const current = user.current === name ? Object.keys(profiles)[0] : user.current;
  writeUser({ ...user, current, profiles });
  terminal.result(
    { profile: name, url: removed?.url },
    `The token of ${name} is removed from this machine. It works until it expires or is revoked ` +
      `in the dashboard (${removed?.url}/profile/tokens).`,
  );
}
