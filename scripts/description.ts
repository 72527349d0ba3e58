import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { api } from "../src/api.ts";
import { describe } from "../src/api-docs/document.ts";
import { ROOT, run } from "./lib/processes.ts";

// `npm run description` writes openapi.json. With `--check`, it fails when openapi.json is out of
// date or breaks a rule in redocly.yaml. `npm run check` runs it with `--check`.
const FILE = path.join(ROOT, "openapi.json");
const LINTER = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const described = `${JSON.stringify(describe(api), undefined, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(FILE, described);
else if (readFileSync(FILE, "utf8") !== described) {
  console.error("openapi.json is out of date. Run: npm run description");
  process.exitCode = 1;
} else
  await run({
    script: path.relative(path.join(ROOT, "node_modules"), LINTER),
    args: ["lint", FILE, "--format", "stylish"],
    // Turns off telemetry and the update check, so that the check works without a network.
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
