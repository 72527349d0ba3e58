import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { Api } from "../api.ts";
import { connectService, sourcesOf } from "../connect.ts";
import { Failure } from "../failure.ts";
import { readUser, userFile, writeUser } from "../files.ts";
import { type ConnectionOptions, type Profile, urlOf } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { tokenFromDevice } from "./device-login.ts";

interface Options extends ConnectionOptions {
  readonly tokenStdin?: boolean;
  readonly tokenCommand?: string;
}

/** Gets a token, checks that the service accepts it, and keeps it in the user's settings. */
export async function run(terminal: Terminal, options: Options): Promise<void> {
  const url = addressOf(options);
  const credential = await credentialOf(url, terminal, options);
  const profile: Profile = {
    url,
    ...(options.project !== undefined && { project: options.project }),
    ...credential,
  };
  const user = readUser();
  const name = options.profile ?? nameOf(url, user.profiles);
  const token = { kind: "profile", name, profile } as const;
  const api = await connectService({ url, project: undefined, token }, terminal);
  const projects = await api.get("/projects");
  writeUser({ ...user, current: name, profiles: { ...user.profiles, [name]: profile } });
  terminal.result(
    { url, profile: name, projects: projects.map((project) => project.name) },
    `Signed in to ${url}. The profile ${name} is in ${userFile()}.`,
  );
}

/**
 * Returns the address to sign in to. Throws: a Failure when only the repository names the address: a
 * repository that was cloned could send a token to its own server, or show the code of a login that its
 * server has begun at the real service.
 */
function addressOf(options: Options): string {
  const found = urlOf(sourcesOf({ ...options, profile: undefined }));
  const known = options.profile === undefined ? undefined : readUser().profiles[options.profile];
  if (found !== undefined && !found.isFromRepository) return found.url;
  if (known !== undefined) return known.url;
  throw new Failure("usage", "flags login needs the address of the service", {
    remedy: "Add --url <address>, such as https://flags.example.com.",
  });
}

async function credentialOf(
  url: string,
  terminal: Terminal,
  { tokenStdin, tokenCommand }: Options,
): Promise<Pick<Profile, "token" | "tokenCommand">> {
  if (tokenCommand !== undefined) return { tokenCommand };
  if (tokenStdin !== true)
    return { token: await tokenFromDevice(new Api(url, undefined), terminal) };
  const token = (await readAll(process.stdin)).trim();
  if (token !== "") return { token };
  throw new Failure("usage", "Standard input has no token", {
    remedy: "Pipe the token into the command, for example from a password manager.",
  });
}

/** Returns the name of the profile with this address, or the host as the name of a new one. */
function nameOf(url: string, profiles: Readonly<Record<string, Profile>>): string {
  const found = Object.entries(profiles).find(([, profile]) => profile.url === url);
  return found?.[0] ?? new URL(url).host;
}
