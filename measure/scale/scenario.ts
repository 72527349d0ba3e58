import { parseArgs } from "node:util";

/** The options of a scenario, each with its default and its unit. */
const OPTIONS = {
  environments: [10, "environments of one project, each with one API key"],
  flags: [100, "flags per environment"],
  "reported-flags": [20, "flags in a usage report"],
  "poll-seconds": [30, "s between two polls"],
  "report-seconds": [60, "s between two usage reports"],
  "stream-report-seconds": [300, "s between two usage reports of an SDK with a stream"],
  "changes-per-hour": [60, "changes per hour and environment"],
  locations: [300, "locations"],
  "usage-shards": [1, "usage object per project"],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

type OptionName = keyof typeof OPTIONS;
export type Options = Readonly<Record<OptionName, number>>;

/** All inputs of the model of load and cost: the options, and the number of SDK instances. */
export interface Scenario extends Options {
  readonly instances: number;
}

const NAMES = Object.keys(OPTIONS) as OptionName[];

export const DEFAULTS = Object.fromEntries(
  NAMES.map((name) => [name, OPTIONS[name][0]]),
) as unknown as Options;

/** Returns the options as text, such as `10 environments of one project, …, 100 flags per environment`. */
export const inWords = (options: Options): string =>
  NAMES.map((name) => `${options[name]} ${OPTIONS[name][1]}`).join(", ");

export const HELP = [
  "npm run scale -- [options]",
  ...NAMES.map((name) => `  --${name.padEnd(22)} ${OPTIONS[name][0]} ${OPTIONS[name][1]}`),
  "  --report-seconds Infinity means no usage reports of SDKs that poll",
  "  --write                  write the result for the defaults into docs/build/performance.md",
  "  --check                  fail when docs/build/performance.md has another result",
].join("\n");

/** Parses the command line. Throws: an Error for an invalid option. */
export function readCommand(args: readonly string[]) {
  const numbers = Object.fromEntries(NAMES.map((name) => [name, { type: "string" as const }]));
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { ...numbers, write: flag, check: flag },
  });
  const { write, check, ...given } = values as Record<string, unknown>;
  const options: Record<string, number> = { ...DEFAULTS };
  for (const [name, text] of Object.entries(given)) {
    options[name] = Number(text);
    if (!(Number(text) > 0)) throw new Error(`--${name} must be a number above 0`);
  }
  return { mode: check ? "check" : write ? "write" : "print", options: options as Options };
}
