import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import path from "node:path";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { writeSourceConfig } from "./scripts/lib/source-config.ts";
import { keepTemporaryFilesInMemory } from "./scripts/lib/memory-folder.ts";

keepTemporaryFilesInMemory();

/**
 * A test must not fail because the machine is slow or busy. So these timeouts only end a test that
 * hangs. No test compares a duration with a fixed limit.
 */
const SLOW_MACHINE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Shows small objects whole, because the summary of `npm test` prints messages without differences.
  chaiConfig: { truncateThreshold: 300 },
};

/**
 * The service has timeouts of its own, such as 1.5 s for the database. They can also end a call
 * because the machine is too slow, so a test of the service fails only if it fails twice.
 */
const AGAINST_THE_SERVICE = { ...SLOW_MACHINE, retry: 1 };

/** The tests run the sources of the SDK. Its package has what `npm run build` makes of them. */
const resolve = {
  alias: {
    "@feature-flags/sdk/binding": path.resolve("packages/sdk/src/binding.ts"),
    "@feature-flags/sdk/openfeature": path.resolve("packages/sdk/src/openfeature.ts"),
    "@feature-flags/sdk": path.resolve("packages/sdk/src/index.ts"),
  },
};

const LAZILY = /lazily\(\(\) => import\("([\w./@-]+)"\)\)/g;

/**
 * Imports at once what the Worker imports on first use (src/core/lib/lazily.ts). The test runner resolves
 * each import by a call to its host, and the runtime refuses to let two requests, or two objects, await
 * the same call.
 */
const importsAtOnce: Plugin = {
  name: "imports-at-once",
  enforce: "pre",
  transform(code) {
    const sources = Array.from(code.matchAll(LAZILY), ([, source]) => source);
    if (sources.length === 0) return undefined;
    const imports = sources.map((source, n) => `import * as lazy${n} from "${source}";`).join("");
    let n = 0;
    return { code: imports + code.replaceAll(LAZILY, () => `lazily(async () => lazy${n++})`) };
  },
};

/** Tests inside the Workers runtime, with the bindings of wrangler.toml. */
const worker = {
  resolve,
  plugins: [
    importsAtOnce,
    cloudflareTest(async () => ({
      main: "./test/worker/support/worker.ts",
      wrangler: { configPath: writeSourceConfig() },
      miniflare: {
        // A test file sends more requests per minute than the limit of one user.
        ratelimits: {
          MANAGEMENT_RATE: { namespace_id: "1", simple: { limit: 1_000_000, period: 60 } },
          FILE_RATE: { namespace_id: "2", simple: { limit: 1_000_000, period: 60 } },
        },
        bindings: {
          LOGGING_LEVEL_APP: "WARN",
          PUBLIC_URL: "https://flags.test",
          MIGRATIONS: await readD1Migrations("./migrations"),
          SERVICE_JWT_SECRET: "a secret of the tests, 32 bytes or more",
          SERVICE_ENCRYPTION_KEY: "dGhlIHRlc3RzJyBrZXksIDMyIGJ5dGVzIGxvbmcuIC4=",
          BOOTSTRAP_ADMIN_EMAIL: "admin@example.com",
          BOOTSTRAP_ADMIN_PASSWORD: "correct-horse-battery",
          // The test files share a database and create more than one service may have.
          QUOTA_PROJECTS: "100000",
          QUOTA_USERS: "100000",
          // No flush outside of the metrics tests, because a flush after the last request of a
          // file would outlive the file.
          METRICS_FLUSH_SECONDS: "0",
          // A test of usage waits for a flush.
          USAGE_FLUSH_SECONDS: "0.05",
        },
      },
    })),
  ],
  test: {
    name: "worker",
    include: ["test/worker/**/*.test.ts"],
    ...AGAINST_THE_SERVICE,
    // The files of a worker share one runtime, because to start it takes longer than most files.
    isolate: false,
    globalSetup: ["test/build-dashboard.ts"],
    setupFiles: ["test/worker/support/migrate.ts"],
  },
};

/** The folders of the files that take longest: they start services, or wait for timers. */
const LONG = ["test/process/", "test/worker/faults/", "test/worker/stream/"];

/** Starts the files of these folders first, so that none of them runs alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((folder) => moduleId.includes(`/${folder}`));
    const [long, others] = [files.filter(isLong), files.filter((file) => !isLong(file))];
    // oxlint-disable-next-line unicorn/no-array-sort -- this method sorts no array in place
    const [first, then] = await Promise.all([super.sort(long), super.sort(others)]);
    return [...first, ...then];
  }
}

export default defineConfig({
  test: {
    // On two cores: most tests also wait for timers.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve,
        test: {
          name: "core",
          include: [
            "packages/*/test/**/*.test.ts",
            "test/{core,client,dashboard,mcp,measure,scripts,sdk}/**/*.test.ts",
          ],
          environment: "node",
          // The files share their modules: to load them again for each file takes as long as the tests.
          isolate: false,
          ...SLOW_MACHINE,
        },
      },
      worker,
      {
        resolve,
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/process/support/build.ts"],
          ...AGAINST_THE_SERVICE,
          // A test may start the service again.
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
