/**
 * Installs a browser for the tests when the machine has none. `npm test` runs this beside the first
 * tests, because the installation mostly waits for downloads.
 */
import { findOrInstallBrowser } from "./lib/browser.ts";

findOrInstallBrowser();
