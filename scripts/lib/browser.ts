import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { ROOT } from "./processes.ts";

/**
 * The name of Chromium's headless shell. With it, the tests take a third of the time that they take
 * with a whole Chromium, which draws its own controls as web pages.
 */
const HEADLESS_SHELL = "chromium-headless-shell";

/** The file names under which Linux distributions and vendors install Chromium, best first. */
const NAMES = [
  HEADLESS_SHELL,
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/**
 * Returns the path of a Chromium browser: the browser in the variable `CHROMIUM` if set, else the
 * headless shell, which is installed where root has Debian's packages, else another browser on the
 * `PATH`, else Playwright's own browser, which is installed if it is missing. Throws: Error when
 * that installation fails.
 */
export function findOrInstallBrowser(): string {
  const named = process.env["CHROMIUM"];
  if (named) return named;
  if (!find(HEADLESS_SHELL) && process.getuid?.() === 0 && find("apt-get")) installHeadlessShell();
  const found = NAMES.map(find).find((file) => file !== undefined);
  if (found === undefined && !existsSync(chromium.executablePath())) installPlaywrightBrowser();
  return found ?? chromium.executablePath();
}

/** Returns the file with this name in a directory of `PATH`; undefined when there is none. */
const find = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((directory) => path.join(directory, name))
    .find((file) => existsSync(file));

/** Ignores failures, because not every distribution with apt-get has this package. */
function installHeadlessShell(): void {
  spawnSync("apt-get", ["update", "-q"], { stdio: "inherit" });
  const install = ["install", "-qy", "--no-install-recommends", HEADLESS_SHELL];
  spawnSync("apt-get", install, { stdio: "inherit" });
}

function installPlaywrightBrowser(): void {
  const cli = path.join(ROOT, "node_modules/playwright-core/cli.js");
  execFileSync(process.execPath, [cli, "install", "chromium"], { stdio: "inherit" });
}
