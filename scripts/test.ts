import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ended, ROOT } from "./lib/processes.ts";
import * as counts from "./lib/test-counts.ts";

// `npm test` runs every part of the tests, even after a failure. At the end it prints the failed tests
// with the start of their errors, and one line with the test counts.
const vitest = (report: string) => [
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
];
// Playwright reads the path of its JSON report from the variable PLAYWRIGHT_JSON_OUTPUT_FILE.
const playwright = () => ["--reporter=list,json"];
const PARTS = [
  { script: "test:unit", args: vitest, count: counts.fromVitest },
  { script: "test:worker", args: vitest, count: counts.fromVitest },
  { script: "test:e2e", args: playwright, count: counts.fromPlaywright },
];

const reports = mkdtempSync(path.join(tmpdir(), "feature-flags-tests-"));
const results: counts.Counts[] = [];
const lines: string[] = [];
const browser = ended(
  spawn(process.execPath, ["scripts/install-browser.ts"], { cwd: ROOT, stdio: "ignore" }),
);
for (const { script, args, count } of PARTS) {
  const report = path.join(reports, `${results.length}.json`);
  if (script === "test:e2e") await browser;
  const code = await runScript(script, args(report), report);
  const result = counts.withExitCode(count(read(report)), code);
  results.push(result);
  lines.push(`npm run ${script}: ${counts.summary(result)}`);
}
rmSync(reports, { recursive: true, force: true });

const sum = counts.total(results);
const failures = sum.failures.map(
  (failure) => `FAILED ${failure.replace(`${ROOT}${path.sep}`, "")}\n`,
);
console.log(`\n${failures.join("")}${lines.join("\n")}\n\n${counts.summary(sum)}`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

/** Runs the npm script on this terminal. Returns its exit code. */
function runScript(script: string, args: readonly string[], report: string): Promise<number> {
  console.log(`\nnpm run ${script}`);
  const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    shell: process.platform === "win32",
  });
  return ended(child);
}

/** Parses the report in `file`. Undefined when the part ended without a report. */
function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
