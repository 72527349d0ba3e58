import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { withEnvironments } from "./lib/environments.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run environments` copies the bindings and variables at the top level of wrangler.toml into
// its environments. With `--check`, it fails when the environments are out of date. `npm run check`
// runs it with `--check`.
const FILE = path.join(ROOT, "wrangler.toml");
const file = readFileSync(FILE, "utf8");
const wanted = withEnvironments(file);
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (wanted !== file) {
  console.error("The environments of wrangler.toml are out of date. Run: npm run environments");
  process.exitCode = 1;
}
