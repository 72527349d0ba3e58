import { parseArgs } from "node:util";
import { explained, positive } from "./options.ts";

export interface UsageOptions {
  /** The time in which the counted requests are sent, seconds. */
  readonly seconds: number;
  /** The path of another installed checkout, which is measured as well. */
  readonly against: string | undefined;
  readonly markdown: boolean;
  /** If set, sends this many usage reports instead, and compares the sums. */
  readonly load: number | undefined;
  /** If set, kills the runtime this many times instead, and compares the sums. */
  readonly kill: number | undefined;
  /** The most seconds between an accepted report that is lost and the kill. */
  readonly bound: number;
}

/**
 * A report that was accepted this long before a kill must be counted, seconds: an isolate adds reports
 * up for 5 s, and the usage object stores them within 10 s (wrangler.toml). One more second is for
 * timers that are late.
 */
const LOSS_BOUND_S = 16;

const HELP = `npm run bench:usage -- [options]
Counts what 1,000 usage reports of 20 flags from 50 SDK instances cost, and 1,000 polls: statements,
rows, queue messages and calls of Durable Objects, until all is written and until it has expired.
  --seconds N      seconds in which the 1,000 requests are sent evenly (100)
  --load N         instead: send N reports as fast as possible, compare the sums, print the memory
  --kill N         instead: kill the runtime N times under steady load, and compare the sums
  --bound N        accepted reports may be lost for N seconds before a kill (${LOSS_BOUND_S})
  --against DIR    measure the service of another checkout as well
  --markdown       print the tables of docs/performance.md`;

/** Parses the command line. Throws: an Error with the help text for an invalid option. */
export function readUsageOptions(args: readonly string[]): UsageOptions {
  return explained(HELP, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seconds: { type: "string", default: "100" },
        against: { type: "string" },
        markdown: { type: "boolean", default: false },
        load: { type: "string" },
        kill: { type: "string" },
        bound: { type: "string", default: String(LOSS_BOUND_S) },
      },
    });
    return {
      seconds: positive(values.seconds),
      against: values.against,
      markdown: values.markdown,
      load: values.load === undefined ? undefined : positive(values.load),
      kill: values.kill === undefined ? undefined : positive(values.kill),
      bound: positive(values.bound),
    };
  });
}
