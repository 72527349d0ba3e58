import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { app } from "../src/app.ts";
import { describe } from "../src/operations/api-docs/document.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run description` writes the API description; with `--check`, part of `npm run check`, the
// committed one must be what the service serves.
const FILE = path.join(ROOT, "openapi.json");
const described = `${JSON.stringify(describe(app), undefined, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(FILE, described);
else if (readFileSync(FILE, "utf8") !== described) {
  console.error("openapi.json is not what the code describes: npm run description");
  process.exitCode = 1;
}
