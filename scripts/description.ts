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

/** How many characters a line may have before its value takes several lines. */
const WIDTH = 200;

/**
 * Writes a JSON value with one space for each level, and small values on one line. With an indentation
 * of two spaces and one line for each value, the file would have twice the size.
 */
function written(value: unknown, indentation = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indentation.length + line.length <= WIDTH)
    return line;
  const inner = `${indentation} `;
  const [open, end] = Array.isArray(value) ? "[]" : "{}";
  const parts = Object.entries(value).map(
    ([key, part]) =>
      `${inner}${Array.isArray(value) ? "" : `${JSON.stringify(key)}: `}${written(part, inner)}`,
  );
  return `${open}\n${parts.join(",\n")}\n${indentation}${end}`;
}

// Without the values that JSON does not have.
const described = `${written(JSON.parse(JSON.stringify(describe(api))))}\n`;

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
