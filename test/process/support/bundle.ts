import path from "node:path";
import { type Module, modulesIn } from "../../../scripts/service/modules.ts";
import { buildIfChanged } from "../../../scripts/lib/build-if-changed.ts";
import { ROOT } from "../../../scripts/lib/processes.ts";
import { buildWorkerModules, ENTRY, writeModules } from "../../../scripts/lib/worker-build.ts";

const OUTPUT = path.join(ROOT, "node_modules", ".test-bundle");

/** Builds the modules of the Worker for all test files, unless they were built from the same sources. */
export const buildWorker = (): Promise<void> =>
  buildIfChanged({
    output: path.join(OUTPUT, ENTRY),
    sources: ["src", "packages", "scripts/lib/worker-build.ts"].map((name) =>
      path.join(ROOT, name),
    ),
    build: async () => writeModules(OUTPUT, (await buildWorkerModules(ROOT)).modules),
  });

/** Returns the modules that `buildWorker` has built, with the entry first. */
export const workerModules = (): Promise<Module[]> => modulesIn(OUTPUT);
