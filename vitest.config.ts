import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "core",
          include: ["test/core/**/*.test.ts", "test/client/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                MIGRATIONS: await readD1Migrations("./migrations"),
                SERVICE_JWT_SECRET: "a secret of the tests, 32 bytes or more",
                SERVICE_ENCRYPTION_KEY: "dGhlIHRlc3RzJyBrZXksIDMyIGJ5dGVzIGxvbmcuIC4=",
                BOOTSTRAP_ADMIN_EMAIL: "admin@example.com",
                BOOTSTRAP_ADMIN_PASSWORD: "correct-horse-battery",
              },
            },
          })),
        ],
        test: {
          name: "worker",
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
