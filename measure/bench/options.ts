import { parseArgs } from "node:util";

export interface BenchOptions {
  /**
   * The number of measured rounds. A round measures the service and the bare Worker for every
   * request.
   */
  readonly rounds: number;
  /** How long one measurement takes, seconds. */
  readonly seconds: number;
  readonly connections: number;
  /** The benchmark measures only requests whose name contains this text. */
  readonly only: string;
  readonly markdown: boolean;
  /**
   * A commit, or the path of an installed checkout, to compare this checkout with. If set, the
   * benchmark only compares the two services.
   */
  readonly against: string | undefined;
  /** How often a comparison of two checkouts restarts both services. */
  readonly starts: number;
}

const HELP = `npm run bench -- [options]
  --rounds N       alternating rounds (7)
  --seconds N      seconds per measurement (1)
  --connections N  connections, each with one request in flight (32)
  --only TEXT      only measure requests whose name contains the text, such as "Unleash"
  --markdown       print the tables of docs/build/performance.md as well
  --against WHAT   only compare answers and speed with those of a commit, or of the checkout in a folder
  --starts N       how often a comparison restarts both services (1)`;

/** Parses the command line. Throws: an Error with the help text for an invalid option. */
export function readOptions(args: readonly string[]): BenchOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: "string", default: "7" },
        seconds: { type: "string", default: "1" },
        connections: { type: "string", default: "32" },
        only: { type: "string", default: "" },
        markdown: { type: "boolean", default: false },
        against: { type: "string" },
        starts: { type: "string", default: "1" },
      },
    });
    return {
      rounds: positive(values.rounds),
      seconds: positive(values.seconds),
      connections: positive(values.connections),
      only: values.only,
      markdown: values.markdown,
      against: values.against,
      starts: positive(values.starts),
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, {
      cause: error,
    });
  }
}

/** Returns the number in an option. Throws: an Error for a number that is not positive. */
function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${text} is not a positive number`);
  return value;
}
