import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildBundle } from "../../../scripts/bench/bundle.ts";
import { buildIfChanged } from "../../../scripts/lib/build-if-changed.ts";
import { ROOT } from "../../../scripts/lib/processes.ts";

const OUTPUT = path.join(ROOT, "node_modules", ".test-bundle", "worker.js");

/** Builds the bundle of the Worker for all test files, unless it was built from the same sources. */
export const buildWorker = (): Promise<void> =>
  buildIfChanged({
    output: OUTPUT,
    sources: ["src", "packages", "wrangler.toml"].map((name) => path.join(ROOT, name)),
    build: async () => {
      const { source } = await buildBundle(ROOT);
      mkdirSync(path.dirname(OUTPUT), { recursive: true });
      writeFileSync(OUTPUT, source);
    },
  });

/** Returns the bundle that `buildWorker` has built. */
export const workerBundle = (): string => readFileSync(OUTPUT, "utf8");
