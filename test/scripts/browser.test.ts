import { beforeEach, describe, expect, it } from "vitest";
import { type Machine, selectBrowser } from "../../scripts/lib/browser.ts";

const PLAYWRIGHT = "/cache/playwright/chrome";
const SHELL = "/usr/bin/chromium-headless-shell";

/** The paths of the working browsers on the fake machine. */
let browsers: Set<string>;
let steps: string[];

function machine(parts: Partial<Machine> = {}): Machine {
  return {
    named: undefined,
    onPath: (name) => [...browsers].find((file) => file === `/usr/bin/${name}`),
    playwright: PLAYWRIGHT,
    runs: (file) => browsers.has(file),
    installPlaywright: () => steps.push("playwright"),
    installDebian: undefined,
    ...parts,
  };
}

beforeEach(() => {
  browsers = new Set();
  steps = [];
});

describe("selectBrowser", () => {
  it("prefers the browser in the variable CHROMIUM to all other browsers", () => {
    browsers = new Set(["/opt/chrome", "/usr/bin/chromium", PLAYWRIGHT]);
    expect(selectBrowser(machine({ named: "/opt/chrome" }))).toBe("/opt/chrome");
  });

  it("throws when CHROMIUM names no browser, even if the PATH has a browser", () => {
    browsers = new Set(["/usr/bin/chromium"]);
    expect(() => selectBrowser(machine({ named: "/opt/missing" }))).toThrow(
      /^CHROMIUM names \/opt\/missing, which is not a browser that starts\. Install/,
    );
  });

  it.each(["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])(
    "prefers %s on the PATH to Playwright's browser",
    (name) => {
      browsers = new Set([`/usr/bin/${name}`, PLAYWRIGHT]);
      expect(selectBrowser(machine())).toBe(`/usr/bin/${name}`);
      expect(steps).toEqual([]);
    },
  );

  it("tries the next browser name on the PATH when a browser does not start", () => {
    browsers = new Set(["/usr/bin/google-chrome"]);
    const onPath = (name: string) => `/usr/bin/${name}`;
    expect(selectBrowser(machine({ onPath }))).toBe("/usr/bin/google-chrome");
  });

  it("uses Playwright's browser when the PATH has none", () => {
    browsers = new Set([PLAYWRIGHT]);
    expect(selectBrowser(machine())).toBe(PLAYWRIGHT);
    expect(steps).toEqual([]);
  });

  it("installs Playwright's browser when the machine has no browser", () => {
    const installPlaywright = () => browsers.add(PLAYWRIGHT);
    expect(selectBrowser(machine({ installPlaywright }))).toBe(PLAYWRIGHT);
  });

  it("prefers the headless shell to all other browsers", () => {
    browsers = new Set(["/usr/bin/chromium", SHELL, PLAYWRIGHT]);
    const installDebian = () => steps.push("debian");
    expect(selectBrowser(machine({ installDebian }))).toBe(SHELL);
    expect(steps).toEqual([]);
  });

  it("installs Debian's headless shell, even if another browser is installed", () => {
    browsers = new Set(["/usr/bin/chromium"]);
    const installDebian = () => browsers.add(SHELL);
    expect(selectBrowser(machine({ installDebian }))).toBe(SHELL);
  });

  it("uses another browser when the headless shell cannot be installed", () => {
    browsers = new Set(["/usr/bin/chromium"]);
    const installDebian = () => steps.push("debian");
    expect(selectBrowser(machine({ installDebian }))).toBe("/usr/bin/chromium");
    expect(steps).toEqual(["debian"]);
  });

  it("throws an error that says what to install when every step failed", () => {
    const installDebian = () => steps.push("debian");
    expect(() => selectBrowser(machine({ installDebian }))).toThrow(
      /found no browser and could not install one\. Install Chromium .* or set CHROMIUM/,
    );
    expect(() => selectBrowser(machine())).toThrow("could not install one");
    expect(steps).toEqual(["debian", "playwright", "playwright"]);
  });
});
