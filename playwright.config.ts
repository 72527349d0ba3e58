import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS } from "./scripts/lib/browser-args.ts";
import { keepTemporaryFilesInMemory } from "./scripts/lib/memory-folder.ts";

keepTemporaryFilesInMemory();

const { CHROMIUM: executablePath, MEASURE_LOAD, UPDATE_SCREENSHOTS } = process.env;

/** The files that run only when somebody asks for their output. */
const ON_DEMAND = [
  ...(MEASURE_LOAD === undefined ? ["**/load-time.test.ts"] : []),
  ...(UPDATE_SCREENSHOTS === undefined ? ["**/screenshots.test.ts"] : []),
];

/**
 * Turns off V8's optimizing compilers. A page of a test lives for seconds, so what they compile is
 * hardly used, and they take a fifth of the browser's CPU time.
 */
const WITHOUT_OPTIMIZING_COMPILERS = "--js-flags=--no-maglev,--no-turbofan";

const args = [
  ...BROWSER_ARGS,
  ...(MEASURE_LOAD === undefined ? [WITHOUT_OPTIMIZING_COMPILERS] : []),
];

/** Tests the dashboard in a real browser, against the service that `npm start` runs. */
export default defineConfig({
  testDir: "test/e2e",
  testMatch: "**/*.test.ts",
  testIgnore: ON_DEMAND,
  globalSetup: ["./test/e2e/support/browser.ts", "./test/e2e/support/service.ts"],
  forbidOnly: Boolean(process.env["CI"]),
  // The tests share one database, and each test creates its own project.
  fullyParallel: true,
  workers: 2,
  // On a busy machine `wrangler dev` sometimes drops a request, so a test fails only if it fails
  // twice.
  retries: 1,
  // These timeouts only end a test that hangs: nothing may fail because the machine is slow or busy.
  timeout: 5 * 60_000,
  // Ends a run that hangs, before CI ends the job.
  globalTimeout: 30 * 60_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  outputDir: "node_modules/.e2e",
  use: {
    browserName: "chromium",
    actionTimeout: 60_000,
    // A trace in the first try would cost a third of the time.
    trace: "on-first-retry",
    // The global setup sets `CHROMIUM` before the workers read this file.
    launchOptions: { args, ...(executablePath && { executablePath }) },
  },
});
