import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { withEnvironments } from "./lib/environments.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run environments` repeats the bindings and variables of wrangler.toml in its environments; with
// `--check`, part of `npm run check`, they must be there.
const FILE = path.join(ROOT, "wrangler.toml");
const file = readFileSync(FILE, "utf8");
const wanted = withEnvironments(file);
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (wanted !== file) {
  console.error("The environments of wrangler.toml lack something: npm run environments");
  process.exitCode = 1;
}
