import { findOrInstallBrowser } from "../../../scripts/lib/browser.ts";

/** Finds or installs the browser once, before any worker starts. The workers inherit `CHROMIUM`. */
export default function setup(): void {
  process.env["CHROMIUM"] = findOrInstallBrowser();
}
