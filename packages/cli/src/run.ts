import { CommanderError } from "commander";
import { EXIT } from "./failure.ts";
import { makeProgram } from "./program.ts";

/** Runs the program with its arguments. Returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let exit = 0;
  const program = makeProgram((code) => {
    exit = code;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The library has printed the help, the version, or its error.
    return error.exitCode === 0 ? 0 : EXIT.usage;
  }
  return exit;
}
