import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** A password hash takes up to one second on a slow machine, and tests of timeouts wait in real time. */
const SLOW_MACHINE = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Two workers are enough, because most tests wait for timers.
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
              // A test file sends more requests per minute than the limit of one user.
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
                // No flush outside of the metrics tests, because a flush after the last request of a
                // file would outlive the file.
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
          // Each file starts the service, which builds into the same folders.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
