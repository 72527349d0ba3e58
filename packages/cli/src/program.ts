import { Command, HELP, section } from "./command.ts";
import type { ChangeOptions } from "./commands/change.ts";
import type { PlanOptions } from "./file/plan.ts";
import type { ConnectionOptions } from "./settings.ts";
import { SERVICES } from "@feature-flags/convert/services";
import { CLIENTS } from "./clients.ts";
import { SHELLS } from "./completion.ts";
import type { Terminal } from "./terminal.ts";

/**
 * A command. Its module is loaded only when the command runs. Returns the exit code; none: 0.
 * Throws: a Failure.
 */
type Runner<Options> = (
  terminal: Terminal,
  options: Options,
  ...args: string[]
) => Promise<number | void>;

type Loader<Options> = () => Promise<{ readonly run: Runner<Options> }>;

/** The rules of an option that may be repeated. */
const REPEATED = { isMultiple: true } as const;

const AFTER_HELP = `
Settings, the first one counts: option, environment variable, .flags.json, profile.
  FLAGS_URL, FLAGS_TOKEN, FLAGS_PROJECT

Exit codes: 0 success, 1 error, 2 differences, 3 conflict, 4 approval needed,
  5 no access, 6 service unreachable, 64 wrong usage
`;

/** A command, and its module. */
export interface Entry {
  readonly command: Command;
  readonly load: Loader<never>;
}

/** The commands of the program, by name. */
export type Program = ReadonlyMap<string, Entry>;

/** Returns the help of the program. */
export const helpOf = (program: Program): string =>
  [
    "Usage: flags [options] [command]",
    "",
    "Feature flags on the command line",
    "",
    section("Options", [["-V, --version", "output the version number"], HELP]),
    "",
    section(
      "Commands",
      Array.from(program.values(), ({ command: { name, args, description } }) => [
        [name, ...args].join(" "),
        description,
      ]),
    ),
    AFTER_HELP,
  ].join("\n");

/** Makes all commands. */
export function makeProgram(): Program {
  const program = new Map<string, Entry>();

  /** Adds a command. `syntax` has its name and its arguments. */
  function add<Options extends object>(
    syntax: string,
    description: string,
    load: Loader<Options>,
    choices?: readonly string[],
  ): Command {
    const command = new Command(syntax, description, choices).option("--json", "print JSON");
    program.set(command.name, { command, load });
    return command;
  }

  /** Adds a command that calls the service. */
  const connected = <Options extends ConnectionOptions>(
    syntax: string,
    description: string,
    load: Loader<Options>,
    choices?: readonly string[],
  ): Command =>
    add(syntax, description, load, choices)
      .option("--url <url>", "the address of the service")
      .option("-p, --project <name>", "the name or the id of the project")
      .option("--profile <name>", "a profile of flags login");

  const ENVIRONMENT = ["-e, --env <name>", "the environment"] as const;

  /** Adds a command that changes a flag in an environment. */
  const changing = (syntax: string, description: string, load: Loader<ChangeOptions>): Command =>
    connected(syntax, description, load)
      .option(...ENVIRONMENT, { isRequired: true })
      .option("--reason <text>", "why, for the audit trail")
      .option("--dry-run", "show what would change, and change nothing")
      .option("--propose", "open a change request instead of making the change")
      .option("-y, --yes", "do not ask before a change in production");

  /** Adds a command that compares a file with the project. */
  const comparing = <Options extends PlanOptions>(
    syntax: string,
    description: string,
    load: Loader<Options>,
  ): Command =>
    connected(syntax, description, load)
      .option("--only <environment>", "change only this environment; may be repeated", REPEATED)
      .option("--overwrite <path>", "the file wins here; may be repeated", REPEATED)
      .option("--prune", "archive flags of this manager that the file lacks")
      .option("--prune-limit <n>", "how many flags --prune may archive")
      .option("--protected <choice>", "changes that need an approval: propose, or skip")
      .option("--github", "print annotations for GitHub Actions");

  connected(
    "login",
    "sign in, and keep the token for this service",
    () => import("./commands/login.ts"),
  )
    .option("--token-stdin", "read a token that exists from standard input")
    .option("--token-command <command>", "keep a command that prints the token, not the token");
  add("logout", "forget the token of a profile", () => import("./commands/logout.ts")).option(
    "--profile <name>",
    "the profile; by default the current one",
  );
  connected(
    "whoami",
    "show the service, the token and its projects",
    () => import("./commands/whoami.ts"),
  );
  connected("list", "list flags", () => import("./commands/list.ts"))
    .option(...ENVIRONMENT)
    .option("--search <text>", "only flags with this text in the key or the name")
    .option("--tag <name>", "only flags with this tag")
    .option("--clients <all|server>", "only flags that browsers get (all), or do not get (server)")
    .option("--stale", "only stale flags")
    .option("--archived", "only archived flags");
  connected("get <flag>", "show a flag in all environments", () => import("./commands/get.ts"));
  changing("on <flag>", "switch a flag on in an environment", async () => ({
    run: (await import("./commands/change.ts")).switchTo(true),
  }));
  changing("off <flag>", "switch a flag off in an environment", async () => ({
    run: (await import("./commands/change.ts")).switchTo(false),
  }));
  connected(
    "clients <clients> <flags...>",
    "choose who gets flags: all, or only server, which hides them from browsers",
    () => import("./commands/clients.ts"),
    CLIENTS,
  )
    .option("--reason <text>", "why, for the audit trail")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--propose", "open a change request instead of making the change")
    .option("-y, --yes", "do not ask before a change in production");
  changing(
    "rollout <flag> <percentage>",
    "set the percentage of a flag in an environment",
    () => import("./commands/rollout.ts"),
  );
  connected(
    "cr <action> [id]",
    "change requests: list, show, approve, apply, or wait for the approval",
    () => import("./commands/cr.ts"),
    ["list", "show", "approve", "apply", "wait"],
  )
    .option("--state <state>", "list: open, applied, closed or all", { fallback: "open" })
    .option("--hash <hash>", "approve, apply, wait: only if the request has this hash")
    .option("--comment <text>", "approve: a comment")
    .option("--timeout <minutes>", "wait: how long", { fallback: "60" })
    .option("-y, --yes", "approve, apply: do not ask");
  connected(
    "eval [flag]",
    "evaluate and explain flags for a context, on this machine",
    () => import("./commands/eval.ts"),
  )
    .option(...ENVIRONMENT, { isRequired: true })
    .option("-c, --context <field=value>", "a field of the context; may be repeated", REPEATED)
    .option("--context-json <json>", "the context as a JSON object");
  connected(
    "watch",
    "print changes of the project as they happen",
    () => import("./commands/watch.ts"),
  )
    .option(...ENVIRONMENT)
    .option("--count <n>", "end after this number of changes");
  connected(
    "refs [paths...]",
    "find flags in the tracked files, and check their keys",
    () => import("./commands/refs.ts"),
  )
    .option("--alias <regex>", "find further calls; the first group is the key", REPEATED)
    .option("--sarif", "print SARIF 2.1.0")
    .option("--github", "print annotations for GitHub Actions");
  connected(
    "types",
    "write a TypeScript type of all flags, for createClient<Flags>()",
    () => import("./commands/types.ts"),
  )
    .option("-o, --output <file>", "the file; by default standard output")
    .option("--check", "write nothing, and exit with 2 if the file is out of date")
    .option("--manifest", "write the manifest for the OpenFeature CLI instead")
    .option("--clients <browser>", "leave out the flags that browsers do not get");
  connected(
    "export",
    "write the flags of the project as a file",
    () => import("./commands/export.ts"),
  )
    .option("-o, --output <file>", "the file; by default standard output")
    .option("--update <file>", "give the fields of a file the values of the project")
    .option("--omit <fields>", "fields that stay with the dashboard, such as percentage,enabled")
    .option("--manager <name>", "whose file it is");
  add(
    "import <source> <files...>",
    `turn flags of another service into a file: ${SERVICES.join(", ")}`,
    () => import("./commands/import.ts"),
    SERVICES,
  )
    .option("-e, --env <name[=theirs]>", "an environment of the files; may be repeated", {
      isMultiple: true,
      isRequired: true,
    })
    .option("-p, --project <name>", "the name of the project in the file")
    .option("-o, --output <file>", "the file; by default standard output")
    .option("--report <file>", "write the result for each flag as JSON");
  comparing(
    "diff <file>",
    "show what an apply of a file or folder would change",
    () => import("./commands/diff.ts"),
  );
  comparing(
    "apply <file>",
    "apply a file or folder to the project",
    () => import("./commands/apply.ts"),
  )
    .option("--plan <id>", "apply only this plan, as flags diff has shown it")
    .option("--reason <text>", "why, for the audit trail")
    .option("--parts", "apply a large file in parts")
    .option("-y, --yes", "do not ask before a change in production");
  add(
    "dev <file>",
    "serve the flags of a file to SDKs on this machine",
    () => import("./commands/dev.ts"),
  )
    .option(...ENVIRONMENT, { isRequired: true })
    .option("--port <port>", "the port; 0: a free one", { fallback: "8788" })
    .option("--set <flag=variant>", "serve this variant to everybody; may be repeated", REPEATED);
  add(
    "completion <shell>",
    `print a script for the completion of a shell: ${SHELLS.join(", ")}`,
    () => import("./commands/completion.ts"),
    SHELLS,
  );
  return program;
}
