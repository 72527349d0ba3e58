import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "./processes.ts";

/** The name of the file in the root of the checkout. */
const CONFIG = "wrangler.sources.toml";

/** What changes, with its replacement: the entry is the source, and wrangler builds it. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/^main = .*$/m, 'main = "src/worker.ts"'],
  [/^ {2}"new_module_registry",\n/m, ""],
  [/^no_bundle = true\n/m, ""],
  [/^rules = .*\n/m, ""],
  [/^\[build\]\n(?:.+\n)+/m, ""],
];

/**
 * Writes the configuration of the Worker for tools that read its sources, and returns its name: the
 * test runner, whose own modules need the old module registry, and `wrangler types`, which names the
 * classes of the entry. Throws: Error if wrangler.toml lacks what changes.
 */
export function writeSourceConfig(): string {
  let config = readFileSync(path.join(ROOT, "wrangler.toml"), "utf8");
  for (const [pattern, replacement] of CHANGES) {
    if (!pattern.test(config)) throw new Error(`wrangler.toml has nothing that fits ${pattern}`);
    config = config.replace(pattern, replacement);
  }
  const temporary = path.join(ROOT, `${CONFIG}.${process.pid}`);
  writeFileSync(temporary, config);
  renameSync(temporary, path.join(ROOT, CONFIG));
  return CONFIG;
}
