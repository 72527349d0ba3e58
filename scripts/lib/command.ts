import process from "node:process";
import { stopAll } from "./processes.ts";

/**
 * Runs a command of package.json. `--help` prints the help. An error prints its message without a stack,
 * because it tells the user what to do, and the exit code is 1.
 * @param help what the command does, and its arguments
 * @param run gets the arguments without the `--` of npm
 */
export async function runCommand(
  help: string,
  run: (args: readonly string[]) => Promise<void> | void,
): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  const args = first === "--" || first === undefined ? rest : [first, ...rest];
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    return;
  }
  try {
    await run(args);
  } catch (error) {
    console.error(error instanceof Error ? messageOf(error) : error);
    await stopAll();
    process.exitCode = 1;
  }
}

/** Returns what `read` returns. If it throws, prints the message of the error and exits with 1. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? messageOf(error) : error);
    return process.exit(1);
  }
}

/** Reads the seed of `npm run <command> -- [seed]`, default 1. Exits with 1 if it is no whole number. */
export const seedFor = (command: string): number =>
  orExit(() => {
    const [text = "1", ...more] = process.argv.slice(2);
    if (!/^\d+$/.test(text) || more.length > 0)
      throw new Error(`The seed is one whole number: npm run ${command} -- [seed]`);
    return Number(text);
  });

/** Returns the message of an error. That of an option that does not exist also says where all are listed. */
function messageOf(error: Error): string {
  const isOfArguments = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  // Node adds advice about positional arguments, which no command needs.
  return isOfArguments
    ? `${error.message.replace(/\. To specify .*/s, "")}; --help lists the options`
    : error.message;
}
