import process from "node:process";
import { putSection } from "../../scripts/lib/document.ts";
import { report } from "./report.ts";
import { DEFAULTS, HELP, readCommand } from "./scenario.ts";

const DOCUMENT = {
  file: "docs/build/performance.md",
  name: "scale",
  command: "npm run scale -- --write",
};

// Prints the load and the cost by number of SDK instances. With `--check`, a part of `npm run
// check`, fails when docs/build/performance.md is out of date.
try {
  const { mode, options } = readCommand(process.argv.slice(2));
  if (mode === "print") console.log(report(options).join("\n\n"));
  else putSection({ ...DOCUMENT, paragraphs: report(DEFAULTS) }, mode === "check");
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  process.exitCode = 1;
}
