import { Failure } from "./failure.ts";
import { serviceUrl } from "./url.ts";

/** The options that say which service and which project a command is about. */
export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly project?: string | undefined;
  readonly profile?: string | undefined;
}

/** The environment variables of the program. An empty variable counts as missing. */
interface Variables {
  readonly FLAGS_URL?: string | undefined;
  readonly FLAGS_TOKEN?: string | undefined;
  readonly FLAGS_PROJECT?: string | undefined;
}

/** What `.flags.json` of a repository may say. The file never has a token or a command. */
export interface RepositorySettings {
  readonly url?: string | undefined;
  readonly project?: string | undefined;
  /** Regular expressions that find further calls with flag keys (`flags refs`). */
  readonly aliases?: readonly string[] | undefined;
}

/** A service that the user has signed in to. It has a token, or a command that prints one. */
export interface Profile {
  readonly url: string;
  readonly project?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenCommand?: string | undefined;
}

/** The settings of the user, in a file that only the user can read. */
export interface UserSettings {
  readonly version: 1;
  /** The name of the profile that commands use without `--profile`. */
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** The addresses from `.flags.json` to which the user has confirmed to send `FLAGS_TOKEN`. */
  readonly trusted?: readonly string[] | undefined;
}

export interface Sources {
  readonly options: ConnectionOptions;
  readonly variables: Variables;
  readonly repository: RepositorySettings;
  readonly user: UserSettings;
}

/** Where the token of a command comes from. */
export type TokenSource =
  | { readonly kind: "variable"; readonly token: string }
  | { readonly kind: "profile"; readonly name: string; readonly profile: Profile }
  /** `FLAGS_TOKEN` exists, but only the repository names the service. The user must confirm. */
  | { readonly kind: "unconfirmed"; readonly token: string }
  | { readonly kind: "none" };

export interface Settings {
  readonly url: string;
  /** The name or id of the project. Undefined: the only project that the token can see. */
  readonly project: string | undefined;
  readonly token: TokenSource;
}

const given = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : text;

/** Returns the profile that `--profile` names, or the current one. Throws: a Failure without it. */
function chosenProfile({ options, user }: Sources): readonly [string, Profile] | undefined {
  const name = given(options.profile) ?? user.current;
  const profile = name === undefined ? undefined : own(user.profiles, name);
  if (name !== undefined && profile !== undefined) return [name, profile];
  if (given(options.profile) === undefined) return undefined;
  const names = Object.keys(user.profiles).join(", ") || "none";
  throw new Failure("usage", `There is no profile ${name}`, {
    remedy: `Profiles that exist: ${names}. flags login --profile ${name} creates it.`,
  });
}

const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** Returns the address of the service with the name of its source, or undefined if none is set. */
export function urlOf(
  sources: Sources,
): { readonly url: string; readonly isFromRepository: boolean } | undefined {
  const { options, variables, repository } = sources;
  const found = [
    [options.url, "--url"],
    [variables.FLAGS_URL, "FLAGS_URL"],
    // An explicit profile counts more than the repository.
    [given(options.profile) && chosenProfile(sources)?.[1].url, "the profile"],
    [repository.url, ".flags.json"],
    [chosenProfile(sources)?.[1].url, "the profile"],
  ].find(([text]) => given(text) !== undefined);
  if (found === undefined) return undefined;
  const [text = "", source = ""] = found;
  const url = serviceUrl(text, source === ".flags.json" ? "url in .flags.json" : source);
  return { url, isFromRepository: source === ".flags.json" };
}

/**
 * Decides with which service, project and token a command works. The order is: option, environment
 * variable, `.flags.json`, profile. A stored token goes only to the address that it was made for.
 * `FLAGS_TOKEN` goes to an address that the user has given; an address that only `.flags.json`
 * names needs a confirmation, because a cloned repository could name any server. Throws: a Failure
 * when no address is set, and for a wrong one.
 */
export function settingsOf(sources: Sources): Settings {
  const found = urlOf(sources);
  if (found === undefined)
    throw new Failure("usage", "No service is set", {
      remedy: "Run flags login --url <address>, or set FLAGS_URL.",
    });
  const profile = profileFor(sources, found.url);
  const project =
    given(sources.options.project) ??
    given(sources.variables.FLAGS_PROJECT) ??
    given(sources.repository.project) ??
    profile?.[1].project;
  return { url: found.url, project, token: tokenOf(sources, found, profile) };
}

/** Returns the chosen profile, or another one, that belongs to the address. */
function profileFor(sources: Sources, url: string): readonly [string, Profile] | undefined {
  const chosen = chosenProfile(sources);
  const isExplicit = given(sources.options.profile) !== undefined;
  const candidates = isExplicit ? [] : Object.entries(sources.user.profiles);
  return [...(chosen ? [chosen] : []), ...candidates].find(
    ([, profile]) => serviceUrl(profile.url, "The address of a profile") === url,
  );
}

function tokenOf(
  { variables, user }: Sources,
  { url, isFromRepository }: { readonly url: string; readonly isFromRepository: boolean },
  profile: readonly [string, Profile] | undefined,
): TokenSource {
  const token = given(variables.FLAGS_TOKEN);
  if (token !== undefined) {
    const isTrusted = !isFromRepository || profile !== undefined || user.trusted?.includes(url);
    return { kind: isTrusted ? "variable" : "unconfirmed", token };
  }
  if (profile === undefined) return { kind: "none" };
  const [name, found] = profile;
  const hasToken = found.token !== undefined || found.tokenCommand !== undefined;
  return hasToken ? { kind: "profile", name, profile: found } : { kind: "none" };
}
