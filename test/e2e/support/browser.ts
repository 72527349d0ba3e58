import { findOrInstallBrowser } from "../../../scripts/lib/browser.ts";

/** Playwright's setup: finds or installs the browser once. Its workers inherit `CHROMIUM`. */
export default function setup(): void {
  process.env["CHROMIUM"] = findOrInstallBrowser();
}
