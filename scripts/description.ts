import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { app } from "../src/app.ts";
import { describe } from "../src/operations/api-docs/document.ts";
import { ROOT, run } from "./lib/processes.ts";

// `npm run description` writes the API description. With `--check`, part of `npm run check`, the
// committed one must be what the service serves, and what the linter takes (redocly.yaml).
const FILE = path.join(ROOT, "openapi.json");
const LINTER = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const described = `${JSON.stringify(describe(app), undefined, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(FILE, described);
else if (readFileSync(FILE, "utf8") !== described) {
  console.error("openapi.json is not what the code describes: npm run description");
  process.exitCode = 1;
} else
  await run({
    script: path.relative(path.join(ROOT, "node_modules"), LINTER),
    args: ["lint", FILE, "--format", "stylish"],
    // It works without the network, and asks nobody.
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
