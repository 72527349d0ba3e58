import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ROOT, run } from "./processes.ts";

const DASHBOARD = path.join(ROOT, "dashboard");
const DIST = path.join(DASHBOARD, "dist");
const ENTRY_PAGE = path.join(DIST, "index.html");

/**
 * The directory in which the dashboard is built. A finished build moves to `dist`, so a running
 * service never serves a partial build.
 */
const BUILD = path.join(ROOT, "node_modules", ".dashboard-build");

/**
 * The names of files and folders that the fingerprint of the sources omits: build output, packages,
 * and the output of `npm run client`.
 */
const NOT_SOURCES = new Set(["dist", "node_modules", "schema.d.ts"]);

/**
 * The file with the fingerprint of the last build. The file is outside of `dist`, because the
 * service serves every file in `dist`.
 */
const STAMP = path.join(ROOT, "node_modules", ".dashboard-built");

/** Builds the dashboard, unless `dist` was built from the same sources. */
export async function buildDashboard(): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(ENTRY_PAGE) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
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
  writeFileSync(STAMP, wanted);
}

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

/** Returns a hash of the lock file and of every source file of the dashboard. */
function fingerprint(): string {
  const hash = createHash("sha256").update(readFileSync(path.join(ROOT, "package-lock.json")));
  const visit = (directory: string) => {
    const entries = readdirSync(directory, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(directory, entry.name);
      if (NOT_SOURCES.has(entry.name)) continue;
      if (entry.isDirectory()) visit(file);
      else hash.update(`\n${path.relative(DASHBOARD, file)}\n`).update(readFileSync(file));
    }
  };
  visit(DASHBOARD);
  return hash.digest("hex");
}
