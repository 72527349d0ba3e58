import { spawnSync } from "node:child_process";
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

/**
 * The file names under which Linux distributions and vendors install a browser that Playwright can
 * drive.
 */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];

/**
 * The timeout of one installation command, milliseconds. An installation downloads about 200 MB.
 */
const INSTALL_MS = 10 * 60_000;
/**
 * The timeout of the browser's `--version`, milliseconds. The command usually takes less than a
 * second, but longer at the first start on a busy machine.
 */
const VERSION_MS = 60_000;

/** The properties and functions of the machine that the search for a browser uses. */
export interface Machine {
  /** The value of the environment variable `CHROMIUM`. */
  readonly named: string | undefined;
  /** Returns the file with this name in a directory of `PATH`; undefined when there is none. */
  readonly onPath: (name: string) => string | undefined;
  /** The path of Playwright's own browser, whether installed or not. */
  readonly playwright: string;
  /** Whether the file exists and starts as a browser. */
  readonly runs: (file: string) => boolean;
  /**
   * Downloads Playwright's own browser. Does not throw: `runs` shows whether the download
   * succeeded.
   */
  readonly installPlaywright: () => void;
  /**
   * Installs Debian's package of the headless shell. Undefined if the user is not root or the system has no
   * apt-get.
   */
  readonly installDebian: (() => void) | undefined;
}

const HELP =
  "Install Chromium or Google Chrome, or run `npx playwright install --with-deps chromium`, " +
  "or set CHROMIUM to the path of a browser.";

/**
 * Returns the path of a Chromium browser: the browser in the variable `CHROMIUM` if set, else the
 * headless shell, which is installed where Debian has it. Otherwise a browser in `PATH`, then
 * Playwright's own browser, which is installed if nothing else starts. Throws: an Error that says
 * what to install.
 */
export function selectBrowser(machine: Machine): string {
  const { named, onPath, playwright, runs, installPlaywright, installDebian } = machine;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which is not a browser that starts. ${HELP}`);
  }
  const findOnPath = (names: readonly string[]) =>
    names.map(onPath).find((file) => file !== undefined && runs(file));
  const shell = findOnPath([HEADLESS_SHELL]);
  if (shell !== undefined) return shell;
  installDebian?.();
  const found =
    findOnPath([HEADLESS_SHELL, ...NAMES]) ?? (runs(playwright) ? playwright : undefined);
  if (found !== undefined) return found;
  installPlaywright();
  if (runs(playwright)) return playwright;
  throw new Error(`The browser tests found no browser and could not install one. ${HELP}`);
}

/**
 * Runs `selectBrowser` on this machine. Prints progress and failed steps to stderr. Throws: the
 * errors of `selectBrowser`.
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
  install("Debian's headless Chromium", [
    ["apt-get", "update"],
    ["apt-get", "install", "-y", "--no-install-recommends", HEADLESS_SHELL],
  ]);
}

/** Runs the commands until one fails, and prints the last lines of the failed command's output. */
function install(what: string, commands: readonly (readonly string[])[]): void {
  console.error(`Installing ${what} for the browser tests ...`);
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
