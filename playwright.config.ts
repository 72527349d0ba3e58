import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS } from "./scripts/lib/browser-args.ts";
import { keepTemporaryFilesInMemory } from "./scripts/lib/memory-folder.ts";

keepTemporaryFilesInMemory();

const { CHROMIUM: executablePath } = process.env;

/** Tests the dashboard in a real browser, against the service that `npm start` runs. */
export default defineConfig({
  testDir: "test/e2e",
  testMatch: "**/*.test.ts",
  ...(process.env["MEASURE_LOAD"] === undefined && { testIgnore: "**/load-time.test.ts" }),
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
    launchOptions: { args: BROWSER_ARGS, ...(executablePath && { executablePath }) },
  },
});
