import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** A password hash takes most of a second on a slow machine; faults are waited for in real time. */
const SLOW_MACHINE = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Most of the time they wait.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "core",
          include: ["packages/*/test/**/*.test.ts", "test/{core,client,scripts}/**/*.test.ts"],
          environment: "node",
          ...SLOW_MACHINE,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              // A test file does more as one person than anybody does in a minute.
              ratelimits: {
                MANAGEMENT_RATE: { namespace_id: "1", simple: { limit: 1_000_000, period: 60 } },
              },
              bindings: {
                LOGGING_LEVEL_APP: "WARN",
                MIGRATIONS: await readD1Migrations("./migrations"),
                SERVICE_JWT_SECRET: "a secret of the tests, 32 bytes or more",
                SERVICE_ENCRYPTION_KEY: "dGhlIHRlc3RzJyBrZXksIDMyIGJ5dGVzIGxvbmcuIC4=",
                BOOTSTRAP_ADMIN_EMAIL: "admin@example.com",
                BOOTSTRAP_ADMIN_PASSWORD: "correct-horse-battery",
                // Only the tests of metrics ask for them: what the last request of a file tells an
                // object would outlive the file.
                METRICS_FLUSH_SECONDS: "0",
              },
            },
          })),
        ],
        test: {
          name: "worker",
          ...SLOW_MACHINE,
          include: ["test/worker/**/*.test.ts"],
          globalSetup: ["test/build-dashboard.ts"],
          setupFiles: ["test/worker/support/migrate.ts"],
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          environment: "node",
          // Each starts the service, which builds and writes into the same places.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
