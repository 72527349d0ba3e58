import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Alternating rounds; each measures the service, then the bare Worker, for every request. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly connections: number;
  readonly markdown: boolean;
  /** Another checkout, installed: only the two services are compared. */
  readonly against: string | undefined;
  /** How often both services are started anew for such a comparison. */
  readonly starts: number;
}

const HELP = `npm run bench -- [options]
  --rounds N       alternating rounds (7)
  --seconds N      seconds per measurement (1)
  --connections N  connections, one request in flight on each (32)
  --markdown       print the tables of docs/performance.md as well
  --against DIR    compare with the service of another checkout, and nothing else
  --starts N       new processes for such a comparison (1)`;

/** Reads the command line. Errors: with the help text, when it makes no sense. */
export function readOptions(args: readonly string[]): BenchOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: "string", default: "7" },
        seconds: { type: "string", default: "1" },
        connections: { type: "string", default: "32" },
        markdown: { type: "boolean", default: false },
        against: { type: "string" },
        starts: { type: "string", default: "1" },
      },
    });
    return {
      rounds: positive(values.rounds),
      seconds: positive(values.seconds),
      connections: positive(values.connections),
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

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${text} is not a positive number`);
  return value;
}
