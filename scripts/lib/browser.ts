import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { ROOT } from "./processes.ts";

/** The names under which Linux distributions and vendors install a browser that Playwright can drive. */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];

/** An installation is one download of about 200 MB. */
const INSTALL_MS = 10 * 60_000;
/** A browser prints its version in under a second; the first start on a busy machine takes longer. */
const VERSION_MS = 60_000;

/** What the search for a browser needs from the machine. */
export interface Machine {
  /** The value of `CHROMIUM`. */
  readonly named: string | undefined;
  /** The file on the path that has this name. */
  readonly onPath: (name: string) => string | undefined;
  /** Where Playwright keeps its own browser, installed or not. */
  readonly playwright: string;
  /** Whether the file is a browser that starts. */
  readonly runs: (file: string) => boolean;
  /** Downloads Playwright's own browser. Reports nothing: `runs` tells whether the download worked. */
  readonly installPlaywright: () => void;
  /** Installs Debian's package; undefined where that needs another user or another system. */
  readonly installDebian: (() => void) | undefined;
}

const HELP =
  "Install Chromium or Google Chrome, or run `npx playwright install --with-deps chromium`, " +
  "or set CHROMIUM to the path of a browser.";

/**
 * The file of a Chromium browser; installs one when the machine has none. Tries, in this order: the
 * browser that `CHROMIUM` names, one on the path, Playwright's own, Debian's package.
 * Throws: an Error that says what to install.
 */
export function selectBrowser(machine: Machine): string {
  const { named, onPath, playwright, runs, installPlaywright, installDebian } = machine;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which is not a browser that starts. ${HELP}`);
  }
  const findOnPath = () => NAMES.map(onPath).find((file) => file !== undefined && runs(file));
  const found = findOnPath() ?? (runs(playwright) ? playwright : undefined);
  if (found !== undefined) return found;
  installPlaywright();
  if (runs(playwright)) return playwright;
  installDebian?.();
  const installed = installDebian && findOnPath();
  if (installed !== undefined) return installed;
  throw new Error(`The browser tests found no browser and could not install one. ${HELP}`);
}

/**
 * The file of a Chromium browser on this machine. Progress and failed steps go to stderr.
 * Throws: as `selectBrowser`.
 */
export function findOrInstallBrowser(): string {
  return selectBrowser({
    named: process.env["CHROMIUM"],
    onPath: find,
    playwright: chromium.executablePath(),
    runs: (file) =>
      existsSync(file) &&
      spawnSync(file, ["--version"], { timeout: VERSION_MS, stdio: "ignore" }).status === 0,
    installPlaywright: () => {
      const cli = path.join(ROOT, "node_modules/playwright-core/cli.js");
      install("Playwright's Chromium", [[process.execPath, cli, "install", "chromium"]]);
    },
    installDebian: process.getuid?.() === 0 && find("apt-get") ? installDebianPackage : undefined,
  });
}

function find(name: string): string | undefined {
  const directories = (process.env["PATH"] ?? "").split(path.delimiter);
  return directories
    .map((directory) => path.join(directory, name))
    .find((file) => existsSync(file));
}

function installDebianPackage(): void {
  install("Debian's Chromium", [
    ["apt-get", "update"],
    ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
  ]);
}

/** Runs the commands until one fails, and shows the last lines of that one. */
function install(what: string, commands: readonly (readonly string[])[]): void {
  console.error(`No browser found; installing ${what} ...`);
  for (const [command = "", ...args] of commands) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      timeout: INSTALL_MS,
      encoding: "utf8",
    });
    if (status === 0) continue;
    const output = error?.message ?? `${stdout}${stderr}`.trim().split("\n").slice(-5).join("\n");
    console.error(`${command} ${args.join(" ")} failed:\n${output}`);
    return;
  }
}
