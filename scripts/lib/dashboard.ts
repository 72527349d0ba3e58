import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT, run } from "./processes.ts";

const DASHBOARD = path.join(ROOT, "dashboard");
const DIST = path.join(DASHBOARD, "dist");
const ENTRY_PAGE = path.join(DIST, "index.html");

/** Built aside and then moved: what serves from `dist` meanwhile never finds it empty. */
const BUILD = path.join(ROOT, "node_modules", ".dashboard-build");
const NOT_SOURCES = new Set(["dist", "node_modules"]);

/** Beside the packages, not in `dist`, where it would be served. */
const STAMP = path.join(ROOT, "node_modules", ".dashboard-built");

/** Builds the dashboard, unless what is there was built from the same sources. */
export async function buildDashboard(): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(ENTRY_PAGE) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  await run({
    script: "vite/bin/vite.js",
    args: ["build", "--logLevel", "warn", "--outDir", BUILD, "--emptyOutDir"],
    cwd: DASHBOARD,
  });
  rmSync(DIST, { recursive: true, force: true });
  renameSync(BUILD, DIST);
  writeFileSync(STAMP, wanted);
}

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
