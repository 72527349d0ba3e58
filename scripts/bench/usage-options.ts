import { parseArgs } from "node:util";
import { explained, positive } from "./options.ts";

export interface UsageOptions {
  /** The time in which the counted requests are sent, seconds. */
  readonly seconds: number;
  /** The path of another installed checkout, which is measured as well. */
  readonly against: string | undefined;
  readonly markdown: boolean;
}

const HELP = `npm run bench:usage -- [options]
Counts what 1,000 usage reports of 20 flags from 50 SDK instances cost, and 1,000 polls: statements,
rows, queue messages and calls of Durable Objects, until all is written and until it has expired.
  --seconds N      seconds in which the 1,000 requests are sent evenly (100)
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
      },
    });
    return { ...values, against: values.against, seconds: positive(values.seconds) };
  });
}
