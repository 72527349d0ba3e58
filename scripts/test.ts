import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { buildDashboard } from "./lib/dashboard.ts";
import { ended, ROOT, shell, type Variables } from "./lib/processes.ts";
import { buildSdk } from "./lib/sdk.ts";
import * as counts from "./lib/test-counts.ts";

// `npm test` runs every part of the tests, even after a failure. At the end it prints one line with
// the test counts. The browser tests run at the same time as the other parts, because each of them
// leaves a fifth of two cores idle. They print as they go; the other parts print at their ends.
const vitest = (report: string) => [
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
];
// Playwright reads the path of its JSON report from the variable PLAYWRIGHT_JSON_OUTPUT_FILE.
const playwright = () => ["--reporter=list,json"];
const PARTS = {
  unit: { script: "test:unit", args: vitest, count: counts.fromVitest },
  worker: { script: "test:worker", args: vitest, count: counts.fromVitest },
  e2e: { script: "test:e2e", args: playwright, count: counts.fromPlaywright },
};

// Both lanes use these builds, so no lane builds them while the other one reads them.
await buildDashboard();
await buildSdk();
const reports = mkdtempSync(path.join(tmpdir(), "feature-flags-tests-"));
const lanes = await Promise.all([
  inOrder([PARTS.unit, PARTS.worker], printAtEnd),
  inOrder([PARTS.e2e], printLive),
]);
rmSync(reports, { recursive: true, force: true });

const results = lanes.flat();
const lines = results.map(({ script, result }) => `npm run ${script}: ${counts.summary(result)}`);
const sum = counts.total(results.map(({ result }) => result));
console.log(`\n${lines.join("\n")}\n\n${counts.summary(sum)}`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

/** Runs parts one after the other. Returns their test counts. */
async function inOrder(
  parts: readonly (typeof PARTS)[keyof typeof PARTS][],
  run: typeof printAtEnd,
): Promise<{ script: string; result: counts.Counts }[]> {
  const done = [];
  for (const { script, args, count } of parts) {
    const report = path.join(reports, script.replace(":", "-"));
    const code = await run(`npm run --silent ${script} -- ${args(report).join(" ")}`, {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    });
    done.push({ script, result: counts.withExitCode(count(read(report)), code) });
  }
  return done;
}

/** Runs a command, and prints its output when it has ended. Returns its exit code. */
async function printAtEnd(command: string, env: Variables): Promise<number> {
  const { code, output } = await shell(command, env);
  console.log(`\n${command}\n${output}`);
  return code;
}

/** Runs a command on this terminal. Returns its exit code. */
function printLive(command: string, env: Variables): Promise<number> {
  console.log(`\n${command}`);
  return ended(
    spawn(command, { cwd: ROOT, shell: true, stdio: "inherit", env: { ...process.env, ...env } }),
  );
}

/** Parses the report in `file`. Undefined when the part ended without a report. */
function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
