import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./processes.ts";

/** The name of the file in the root of the checkout. */
const CONFIG = "wrangler.sources.toml";

/**
 * Writes the configuration of the Worker for tools that read its sources, and returns its name: the
 * test runner, whose own modules need the old module registry, and `wrangler types`, which names the
 * classes of the entry.
 */
export function writeSourceConfig(): string {
  const config = readFileSync(path.join(ROOT, "wrangler.toml"), "utf8")
    .replace('main = "dist/worker/worker.js"', 'main = "src/worker.ts"')
    .replace('  "new_module_registry",\n', "")
    .replace("no_bundle = true\n", "")
    .replace(/^rules = .*\n/m, "")
    .replace(/^\[build\]\n(?:\w.*\n)+/m, "");
  writeFileSync(path.join(ROOT, CONFIG), config);
  return CONFIG;
}
