import process from "node:process";
import { type Command, usage } from "./command.ts";
import { candidates } from "./completion.ts";
import { EXIT } from "./failure.ts";
import { didYouMean } from "./nearest.ts";
import { type Entry, helpOf, makeProgram, type Program } from "./program.ts";
import { Terminal } from "./terminal.ts";
import { CLI_VERSION } from "./version.ts";

/** Runs the program with its arguments. Returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = makeProgram();
  const [name, ...rest] = argv;
  if (name === "complete") return print(candidates(program, withoutSeparator(rest)).join("\n"));
  if (name === "--version" || name === "-V") return print(CLI_VERSION);
  if (name === undefined) {
    process.stderr.write(`${helpOf(program)}\n`);
    return EXIT.usage;
  }
  if (isHelp(name) || name === "help") return print(helpFor(program, rest[0]));
  const terminal = new Terminal(rest.includes("--json"));
  try {
    const { command, load } = entryOf(program, name);
    if (asksForHelp(rest)) return print(command.help());
    const { options, args } = command.parse(rest);
    const module = await load();
    return (await module.run(terminal, options as never, ...args)) ?? 0;
  } catch (error) {
    return terminal.failure(error);
  }
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

/** What follows `--` are no options. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).some(isHelp);
}

const withoutSeparator = (words: readonly string[]): readonly string[] =>
  words[0] === "--" ? words.slice(1) : words;

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function helpFor(program: Program, name: string | undefined): string {
  const command: Command | undefined = program.get(name ?? "")?.command;
  return command?.help() ?? helpOf(program);
}

/** Throws: a Failure that names the nearest command. */
function entryOf(program: Program, name: string): Entry {
  const entry = program.get(name);
  if (entry) return entry;
  const kind = name.startsWith("-") ? "option" : "command";
  throw usage(`unknown ${kind} '${name}'`, didYouMean(name, [...program.keys()]));
}
