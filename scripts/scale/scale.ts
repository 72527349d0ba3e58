import process from "node:process";
import { putSection } from "../lib/document.ts";
import { report } from "./report.ts";
import { readCommand } from "./scenario.ts";

// `npm run scale` prints the load and the cost by number of SDK instances. `npm run scale --
// --help` lists the options. `--write` writes the result into docs/performance.md. `--check`, a
// part of `npm run check`, fails when docs/performance.md has another result.
try {
  const { mode, options } = readCommand(process.argv.slice(2));
  const paragraphs = report(options);
  if (mode === "print") console.log(paragraphs.join("\n\n"));
  else
    putSection(
      {
        file: "docs/performance.md",
        name: "scale",
        paragraphs,
        command: "npm run scale -- --write",
      },
      mode === "check",
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
