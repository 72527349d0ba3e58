import { defineConfig } from "@playwright/test";

/** The dashboard in a real browser, against the service as `npm start` runs it. */
export default defineConfig({
  testDir: "test/e2e",
  testMatch: "**/*.test.ts",
  globalSetup: "./test/e2e/support/service.ts",
  // One database for all of them: each test makes its own project.
  fullyParallel: false,
  workers: 2,
  // On a busy machine `wrangler dev` drops a request now and then. What fails twice has failed.
  retries: 1,
  timeout: 90_000,
  // A run that hangs ends, and counts as failed.
  globalTimeout: 45 * 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  outputDir: "node_modules/.e2e",
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    actionTimeout: 15_000,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
