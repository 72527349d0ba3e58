import process from "node:process";
import { putSection } from "../lib/readme.ts";
import { report } from "./report.ts";
import { readCommand } from "./scenario.ts";

// `npm run scale` prints what so many SDK instances ask of the platform, and cost; `-- --help` tells
// the options. With `--check`, part of `npm run check`, the README must have the table of the code.
try {
  const { mode, options } = readCommand(process.argv.slice(2));
  const paragraphs = report(options);
  if (mode === "print") console.log(paragraphs.join("\n\n"));
  else
    putSection("scale", paragraphs, {
      check: mode === "check",
      command: "npm run scale -- --write",
    });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
