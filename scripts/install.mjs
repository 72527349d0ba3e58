// This file runs before any package is installed, under the machine's Node (20 or newer). It
// imports only Node's own modules.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const OLDEST_NODE = 20;
const ROOT = path.join(import.meta.dirname, "..");

/** The file that lists the installed packages. npm writes it after the packages themselves. */
const INSTALLED = path.join(ROOT, "node_modules", ".package-lock.json");
const NODE = path.join(ROOT, "node_modules", ".bin", "node");

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Whether every package in the lock file is installed in its version. */
function isUpToDate() {
  if (!existsSync(INSTALLED) || !existsSync(NODE)) return false;
  const installed = packagesOf(INSTALLED);
  const named = Object.entries(packagesOf(path.join(ROOT, "package-lock.json")));
  return named.every(([location, { version, integrity, optional }]) => {
    if (!location.includes("node_modules/")) return true; // a workspace of this repository
    const found = installed[location];
    if (!found) return optional === true; // an optional package for another platform
    return found.version === version && (!integrity || found.integrity === integrity);
  });
}

function npmCi() {
  // Includes development dependencies, because Wrangler is one. npm would skip them where NODE_ENV
  // is production.
  const args = ["ci", "--include=dev", "--loglevel=error", "--no-audit", "--no-fund"];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const options = { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] };
  // Runs the npm that started this script, or the npm on the path.
  return npm?.endsWith(".js")
    ? spawnSync(node ?? process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}

/** Installs the packages of the lock file, unless they are installed. Exits with 1 on failure. */
export function install() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    console.error(`This is Node ${process.version}. Install Node ${OLDEST_NODE} or newer.`);
    process.exit(1);
  }
  if (isUpToDate()) return;
  console.log("Installing dependencies. This takes up to a minute ...");
  const { status, error } = npmCi();
  if (!error && status === 0) return;
  console.error(`npm ci failed${error ? `: ${error.message}` : ""}`);
  process.exit(status || 1);
}

if (process.argv[1] === import.meta.filename) install();
