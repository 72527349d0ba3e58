import { join, resolve } from "node:path";
import process from "node:process";
import { buildBundle } from "./bundle.ts";
import type { Build } from "./comparisons.ts";
import * as report from "./report.ts";
import { sequentially } from "./sequentially.ts";
import { costTable, countUsage } from "./usage-counts.ts";
import { brokenPromises, killTable, killUnderLoad } from "./usage-kill.ts";
import { loadTable, loadUsage } from "./usage-load.ts";
import { readUsageOptions } from "./usage-options.ts";

// `npm run bench:usage` measures what usage reports and polls cost on the local runtime
// (docs/performance.md).

const options = readUsageOptions(process.argv.slice(2));
const root = join(import.meta.dirname, "..", "..");
const { against } = options;
const checkouts = [
  { name: "this checkout", root },
  ...(against === undefined ? [] : [{ name: against, root: resolve(against) }]),
];
const builds = await sequentially(checkouts, async (checkout) => {
  const { source } = await buildBundle(checkout.root);
  return { ...checkout, source };
});

const print = (title: string, ...tables: readonly report.Table[]) =>
  console.log(
    [`\n## ${title}`, ...tables.map(options.markdown ? report.markdown : report.text)].join("\n\n"),
  );

/** Prints the errors, and makes the benchmark fail if there is one. */
function judge(errors: readonly string[]): void {
  for (const error of errors) console.log(`FAILED: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
}

async function count(seconds: number): Promise<void> {
  // The counts do not depend on the speed of the machine, so all are counted at the same time.
  const costs = await Promise.all(builds.map((build: Build) => countUsage(build, seconds)));
  for (const [index, { name }] of builds.entries())
    print(`${name}: 1,000 requests in ${seconds} s`, ...(costs[index]?.map(costTable) ?? []));
}

async function load(reports: number): Promise<void> {
  await sequentially(builds, async (build) => {
    const measured = await loadUsage(build, reports);
    print(`${build.name}: ${reports.toLocaleString("en")} usage reports`, loadTable(measured));
    const { refused, wrong } = measured;
    const unsent = reports - measured.reports;
    judge([
      ...(unsent > 0 ? [`${unsent} reports were not sent in time`] : []),
      ...(refused > 0 ? [`${refused} reports were not answered with 202`] : []),
      ...wrong,
    ]);
  });
}

async function kill(kills: number): Promise<void> {
  await sequentially(builds, async (build) => {
    const found = await killUnderLoad(build, kills, (done) => {
      if (done % 10 === 0) console.error(`${done} of ${kills} kills`);
    });
    print(`${build.name}: ${kills} kills under load`, killTable(found));
    judge(brokenPromises(found, options.bound));
  });
}

if (options.load !== undefined) await load(options.load);
else if (options.kill !== undefined) await kill(options.kill);
else await count(options.seconds);
process.exit();
