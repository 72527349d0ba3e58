import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { buildIfChanged } from "./build-if-changed.ts";
import { ROOT, run } from "./processes.ts";

const DASHBOARD = path.join(ROOT, "dashboard");
const DIST = path.join(DASHBOARD, "dist");

/**
 * The directory in which the dashboard is built. A finished build moves to `dist`, so a running
 * service never serves a partial build.
 */
const BUILD = path.join(ROOT, "node_modules", ".dashboard-build");

/** Builds the dashboard, unless `dist` was built from the same sources. */
export const buildDashboard = (): Promise<void> =>
  buildIfChanged({
    output: path.join(DIST, "index.html"),
    sources: [DASHBOARD],
    build: async () => {
      await generateClient();
      await run({
        script: "vite/bin/vite.js",
        args: ["build", "--logLevel", "warn", "--outDir", BUILD, "--emptyOutDir"],
        cwd: DASHBOARD,
        // Sets NODE_ENV, because a test runner sets it to "test", and Vite would then bundle the
        // development build of React.
        env: { NODE_ENV: "production" },
      });
      rmSync(DIST, { recursive: true, force: true });
      renameSync(BUILD, DIST);
    },
  });

/** Writes the dashboard's API types, as `npm run client` does. */
async function generateClient(): Promise<void> {
  // Resolves the generator from the dashboard, because npm may install the generator's package
  // there and not at the root.
  const { resolve } = createRequire(path.join(DASHBOARD, "package.json"));
  const generator = path.join(resolve("openapi-typescript/package.json"), "../bin/cli.js");
  await run({
    script: path.relative(path.join(ROOT, "node_modules"), generator),
    args: ["../openapi.json", "--output", "src/shared/api/schema.d.ts"],
    cwd: DASHBOARD,
  });
}
