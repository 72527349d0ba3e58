import { execSync } from "node:child_process";
import process from "node:process";
import { Api } from "./api.ts";
import { Failure } from "./failure.ts";
import { readRepository, readUser, writeUser } from "./files.ts";
import { didYouMean } from "./nearest.ts";
import { type ConnectionOptions, type Settings, settingsOf, type Sources } from "./settings.ts";
import type { Terminal } from "./terminal.ts";
import type { Environment, Flag, Project, QueryOf } from "./types.ts";

/** After this time, a `tokenCommand` fails, milliseconds. It may ask the user for a fingerprint. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Reads everything that decides about the settings of a command. Throws: a Failure. */
export function sourcesOf(options: ConnectionOptions): Sources {
  const { FLAGS_URL, FLAGS_TOKEN, FLAGS_PROJECT } = process.env;
  return {
    options,
    variables: { FLAGS_URL, FLAGS_TOKEN, FLAGS_PROJECT },
    repository: readRepository(),
    user: readUser(),
  };
}

/** How to choose among the flags of a project. */
type FlagQuery = Partial<
  Pick<QueryOf<"/flags">, "search" | "tag" | "stale" | "archived" | "includeArchived" | "clients">
>;

/** A service with the project that a command is about. */
export class Connection {
  readonly api: Api;
  readonly project: Project;

  constructor(api: Api, project: Project) {
    this.api = api;
    this.project = project;
  }

  environments(): Promise<readonly Environment[]> {
    return this.api.get("/environments", { projectId: this.project.id });
  }

  /** Finds an environment by its name. Throws: a Failure that names the nearest one. */
  async environment(name: string): Promise<Environment> {
    const all = await this.environments();
    const found = all.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = all.map((one) => one.name);
    throw new Failure("error", `${this.project.name} has no environment ${name}`, {
      remedy: didYouMean(name, names),
    });
  }

  /** Returns all flags of the project, archived ones included. */
  flags(query: FlagQuery = {}) {
    const projectId = this.project.id;
    return this.api.pages("/flags", { projectId, includeArchived: true, ...query });
  }

  /** Finds a flag by its key. Throws: a Failure that names the nearest key. */
  async flag(key: string): Promise<Flag> {
    const found = (await this.flags({ search: key })).find((flag) => flag.key === key);
    if (found !== undefined) return found;
    const keys = (await this.flags()).map((flag) => flag.key);
    throw new Failure("error", `${this.project.name} has no flag ${key}`, {
      remedy: didYouMean(key, keys),
    });
  }

  /** Returns the flags with their strategies in an environment; with `search`, only some of them. */
  flagsIn({ id }: Environment, query: FlagQuery = {}) {
    const fields = { projectId: this.project.id, environmentId: id, ...query };
    return this.api.pages("/flags/by-environment", fields);
  }
}

/** Connects with the service and the project of the settings. Throws: a Failure. */
export async function connect(options: ConnectionOptions, terminal: Terminal): Promise<Connection> {
  const settings = settingsOf(sourcesOf(options));
  const api = await connectService(settings, terminal);
  return new Connection(api, projectOf(await api.get("/projects"), settings.project));
}

/** Connects with a service, without a project. */
export async function connectService(settings: Settings, terminal: Terminal): Promise<Api> {
  const token = await tokenOf(settings, terminal);
  terminal.hide(token);
  return new Api(settings.url, token);
}

async function tokenOf({ url, token }: Settings, terminal: Terminal): Promise<string> {
  switch (token.kind) {
    case "variable":
      return token.token;
    case "profile":
      return token.profile.token ?? tokenFromCommand(token.profile.tokenCommand ?? "", token.name);
    case "unconfirmed":
      await confirmAddress(url, terminal);
      return token.token;
    default:
      throw new Failure("access", `There is no token for ${url}`, {
        remedy: `Run flags login --url ${url}, or set FLAGS_TOKEN.`,
      });
  }
}

/** Asks whether `FLAGS_TOKEN` may go to an address that only the repository names. */
async function confirmAddress(url: string, terminal: Terminal): Promise<void> {
  const answer = await terminal.ask(
    `.flags.json of this repository sends FLAGS_TOKEN to ${url}. Type yes to allow it: `,
    `Only .flags.json names ${url}. Set FLAGS_URL or --url ${url} to send FLAGS_TOKEN there.`,
  );
  if (answer !== "yes") throw new Failure("access", "The token was not sent");
  const user = readUser();
  writeUser({ ...user, trusted: [...(user.trusted ?? []), url] });
}

function tokenFromCommand(command: string, profile: string): string {
  try {
    const output = execSync(command, {
      encoding: "utf8",
      timeout: COMMAND_TIMEOUT_MS,
      stdio: ["inherit", "pipe", "inherit"],
    });
    const token = output.trim();
    if (token !== "") return token;
  } catch {
    // The output of the command may have a part of the token, so the message leaves it out.
  }
  throw new Failure("access", `The tokenCommand of the profile ${profile} prints no token`, {
    remedy: "Run the command by itself to see its error.",
  });
}

/** Finds a project by its name or its id; without a name, the only one. Throws: a Failure. */
export function projectOf<P extends Pick<Project, "id" | "name">>(
  projects: readonly P[],
  name: string | undefined,
): P {
  const names = projects.map((project) => project.name);
  const [only, ...others] = projects;
  if (name === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw new Failure("usage", "No project is set", {
      remedy: `Set --project, FLAGS_PROJECT, or project in .flags.json. ${didYouMean("", names)}`,
    });
  }
  const found =
    projects.find((project) => project.name === name) ??
    projects.find((project) => String(project.id) === name);
  if (found !== undefined) return found;
  throw new Failure("error", `There is no project ${name}, or the token does not see it`, {
    remedy: didYouMean(name, names),
  });
}
