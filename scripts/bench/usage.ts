import { join, resolve } from "node:path";
import process from "node:process";
import { buildBundle } from "./bundle.ts";
import type { Build } from "./comparisons.ts";
import * as report from "./report.ts";
import { sequentially } from "./sequentially.ts";
import { costTable, countUsage } from "./usage-counts.ts";
import { readUsageOptions } from "./usage-options.ts";

// `npm run bench:usage` measures what usage reports and polls cost on the local runtime
// (docs/performance.md).

const { seconds, against, markdown } = readUsageOptions(process.argv.slice(2));
const root = join(import.meta.dirname, "..", "..");
const checkouts = [
  { name: "this checkout", root },
  ...(against === undefined ? [] : [{ name: against, root: resolve(against) }]),
];
const builds = await sequentially(checkouts, async (checkout) => {
  const { source } = await buildBundle(checkout.root);
  return { ...checkout, source };
});

const print = (title: string, tables: readonly report.Table[]) =>
  console.log(
    ["", `## ${title}`, ...tables.map(markdown ? report.markdown : report.text)].join("\n\n"),
  );

// The counts do not depend on the speed of the machine, so all are counted at the same time.
const costs = await Promise.all(builds.map((build: Build) => countUsage(build, seconds)));
for (const [index, { name }] of builds.entries())
  print(`${name}: 1,000 requests in ${seconds} s`, costs[index]?.map(costTable) ?? []);
process.exit();
