import { parseArgs } from "node:util";
import { CODE } from "./code.ts";

/** The options of a scenario, each with its default and its unit. */
const OPTIONS = {
  environments: [10, "environments of one project"],
  keys: [1, "API key per environment"],
  flags: [100, "flags per environment"],
  "reported-flags": [20, "flags in a usage report"],
  "reported-variants": [0, "variants of each flag in a usage report"],
  "poll-seconds": [30, "s between two polls"],
  "report-seconds": [60, "s between two usage reports"],
  "changes-per-hour": [60, "changes per hour and environment"],
  integrations: [1, "webhook per change"],
  locations: [300, "locations"],
  "isolates-per-location": [0, "isolates per location"],
  "mark-seconds": [CODE.markSeconds, "s between two last-seen marks"],
  "usage-shards": [CODE.usageShards, "usage object per project"],
  "log-sampling": [CODE.logSampling, "share of the requests in the log"],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

type OptionName = keyof typeof OPTIONS;
export type Options = Readonly<Record<OptionName, number>>;

/** All inputs of the model. */
export interface Scenario extends Options {
  readonly instances: number;
}

const NAMES = Object.keys(OPTIONS) as OptionName[];

export const DEFAULTS = Object.fromEntries(
  NAMES.map((name) => [name, OPTIONS[name][0]]),
) as unknown as Options;

export const INSTANCES = [1e3, 1e4, 1e5, 1e6, 1e7];

/** Returns the options as text, such as `10 environments, 1 API key per environment, …`. */
export const inWords = (options: Options): string =>
  NAMES.filter((name) => options[name] > 0)
    .map((name) => `${options[name]} ${OPTIONS[name][1]}`)
    .join(", ");

const HELP = [
  "npm run scale -- [options]",
  ...NAMES.map((name) => `  --${name.padEnd(22)} ${OPTIONS[name][0]} ${OPTIONS[name][1]}`),
  "  0 means none; for isolates-per-location, 0 means as many as the load needs",
  "  --write                  write the result for the defaults into docs/performance.md",
  "  --check                  fail when docs/performance.md has another result",
].join("\n");

export interface Command {
  readonly mode: "print" | "write" | "check";
  readonly options: Options;
}

/** Parses the command line. Throws: an Error with the help text for an invalid option. */
export function readCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(NAMES.map((name) => [name, { type: "string" as const }])),
        write: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
      },
    });
    const { write, check, ...given } = values as Record<string, unknown>;
    const numbers = Object.entries(given).map(([name, text]) => [name, amount(name, text)]);
    const options = { ...DEFAULTS, ...Object.fromEntries(numbers) } as Options;
    if ((write || check) && numbers.length > 0)
      throw new Error(
        "--write and --check take no other options: docs/performance.md holds the result for the defaults",
      );
    return { mode: check ? "check" : write ? "write" : "print", options };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, {
      cause: error,
    });
  }
}

const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  "report-seconds",
  "changes-per-hour",
  "integrations",
  "reported-variants",
  "isolates-per-location",
  "log-sampling",
]);

function amount(name: string, text: unknown): number {
  const value = Number(text);
  if (!(value > 0 || (value === 0 && MAY_BE_ZERO.has(name))))
    throw new Error(
      `--${name} cannot be ${String(text)}: enter a number above 0${MAY_BE_ZERO.has(name) ? " or 0" : ""}`,
    );
  return value;
}
