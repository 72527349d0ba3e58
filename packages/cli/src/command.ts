import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";
import { didYouMean } from "./nearest.ts";

/** An option of a command. */
interface Option {
  /** The letter, and the name without hyphens. */
  readonly short: string | undefined;
  readonly long: string;
  /** The placeholder of the value, such as `<name>`; undefined for an option without a value. */
  readonly value: string | undefined;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isMultiple: boolean;
  readonly fallback: string | undefined;
}

/** What an option is, besides its name. */
interface OptionRules {
  readonly isRequired?: boolean;
  /** Whether the option may be repeated. Its value is then a list. */
  readonly isMultiple?: boolean;
  /** The value of an option that is left out. */
  readonly fallback?: string;
}

/** The arguments of a run. The names of options are in camel case. */
export interface Parsed {
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** A command with its arguments and options. */
export class Command {
  readonly name: string;
  readonly description: string;
  /** The arguments as in the help, such as `<flag>`, `[flag]` or `[paths...]`. */
  readonly args: readonly string[];
  readonly options: Option[] = [];
  /** The values that the first argument can have; undefined: any. */
  readonly choices: readonly string[] | undefined;

  constructor(syntax: string, description: string, choices?: readonly string[]) {
    const [name = "", ...args] = syntax.split(" ");
    this.name = name;
    this.args = args;
    this.description = description;
    this.choices = choices;
  }

  /** Adds an option, such as `-e, --env <name>`. Returns the command. */
  option(syntax: string, description: string, rules: OptionRules = {}): this {
    const { isRequired = false, isMultiple = false, fallback } = rules;
    const [, short, long = "", value] = /^(?:-(\w), )?--([\w-]+)(?: (<.+>))?$/.exec(syntax) ?? [];
    this.options.push({ short, long, value, description, isRequired, isMultiple, fallback });
    return this;
  }

  /** Reads the arguments. Throws: a Failure for wrong usage. */
  parse(argv: readonly string[]): Parsed {
    const { values, positionals } = this.#read(argv);
    const options: Record<string, unknown> = {};
    for (const { long, short, value, isRequired, isMultiple, fallback } of this.options) {
      const given = values[long] ?? fallback ?? (isMultiple ? [] : undefined);
      if (isRequired && (given === undefined || (isMultiple && (given as unknown[]).length === 0)))
        throw usage(
          `required option '${short ? `-${short}, ` : ""}--${long} ${value}' not specified`,
        );
      if (given !== undefined) options[camelCase(long)] = given;
    }
    this.#assertArguments(positionals);
    return { options, args: positionals };
  }

  #read(argv: readonly string[]) {
    const options = Object.fromEntries(
      this.options.map(({ long, short, value, isMultiple }) => [
        long,
        Object.assign(
          { type: value === undefined ? ("boolean" as const) : ("string" as const) },
          { multiple: isMultiple },
          short && { short },
        ),
      ]),
    );
    try {
      return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    } catch (error) {
      const message = (error as Error).message.split(". To specify")[0] ?? "";
      const unknown = /^Unknown option '--([\w-]+)'/.exec(message)?.[1];
      const names = this.options.map(({ long }) => `--${long}`);
      throw usage(
        message.replace(/^U/, "u"),
        unknown === undefined ? undefined : didYouMean(`--${unknown}`, names),
      );
    }
  }

  #assertArguments(given: readonly string[]): void {
    const missing = this.args.find((name, n) => name.startsWith("<") && given[n] === undefined);
    if (missing !== undefined) throw usage(`missing required argument '${missing.slice(1, -1)}'`);
    const isVariadic = this.args.at(-1)?.includes("...") === true;
    if (!isVariadic && given.length > this.args.length)
      throw usage(
        `too many arguments for '${this.name}'. Expected ${this.args.length} but got ${given.length}`,
      );
    const [first = ""] = given;
    if (this.choices && !this.choices.includes(first))
      throw usage(`'${first}' is none of ${this.choices.join(", ")}`);
  }

  /** Returns the help of the command. */
  help(): string {
    const rows = this.options.map(
      ({ short, long, value, description, fallback }): readonly [string, string] => [
        `${short ? `-${short}, ` : "    "}--${long}${value ? ` ${value}` : ""}`,
        fallback === undefined ? description : `${description} (default: ${fallback})`,
      ],
    );
    return [
      `Usage: flags ${[this.name, "[options]", ...this.args].join(" ")}`,
      "",
      this.description,
      "",
      section("Options", [...rows, HELP]),
    ].join("\n");
  }
}

export const HELP = ["-h, --help", "display help"] as const;

export const usage = (message: string, remedy?: string): Failure =>
  new Failure("usage", message, { remedy: remedy === "" ? undefined : remedy });

/** Returns a section of the help: a title, and rows with two columns. */
export function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  return [`${title}:`, ...lines].join("\n");
}

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
