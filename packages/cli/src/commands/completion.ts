import { scriptFor, type Shell } from "../completion.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the script that makes a shell complete the commands and options of this program. */
export async function run(terminal: Terminal, _: object, shell: string): Promise<void> {
  // The library has checked the name of the shell.
  const script = scriptFor(shell as Shell);
  terminal.result({ script }, script.trimEnd());
}
