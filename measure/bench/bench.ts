import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkOut } from "../../scripts/lib/checkout.ts";
import { orExit } from "../../scripts/lib/command.ts";
import { buildBundle } from "../../scripts/service/bundle.ts";
import { measureStart } from "./start.ts";
import { measureBuild } from "./build.ts";
import {
  type Setup,
  startServiceAndBare,
  startServiceForOpenFeature,
  startServiceForReports,
  startServiceForUnleash,
  startServiceWithValues,
  startTwoServices,
  startTwoServicesForReports,
} from "./comparisons.ts";
import { benchEvaluator } from "./evaluator.ts";
import { readOptions } from "./options.ts";
import { differingAnswers } from "./recorded.ts";
import * as report from "./report.ts";
import { type Comparison, merged, run } from "./rounds.ts";
import { targets } from "./targets.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

const SIZES = [100, 5_000];
/** The numbers of flags with which usage reports are measured. */
const REPORT_SIZES = [100, 1_000];

const options = orExit(() => readOptions(process.argv.slice(2)));
const root = join(import.meta.dirname, "..", "..");

const section = (title: string, ...lines: string[]) =>
  console.log(["", `## ${title}`, "", ...lines].join("\n"));

if (options.against !== undefined) {
  const isFolder = existsSync(options.against);
  const other = isFolder
    ? resolve(options.against)
    : await checkOut(options.against, await mkdtemp(join(tmpdir(), "bench-")));
  try {
    await compare(other);
  } finally {
    if (!isFolder) await rm(other, { recursive: true });
  }
  process.exit();
}

const verdicts = benchEvaluator().map(({ name, nsPerVerdict }) => ({ name, nsPerVerdict }));
const verdictTable = [
  ["the evaluator in plain Node", "ns per verdict"],
  ...verdicts.map(({ name, nsPerVerdict }) => [name, nsPerVerdict.toFixed(0)]),
];
section("Evaluator", report.text(verdictTable));

const bundle = await buildBundle(root);
const service = { root, modules: bundle.modules };
section("Bundle", report.bundleLine(bundle));

const start = await measureStart(service);
section("Start", report.startLine(start));

const manyValues = await measureBuild(service);
section(
  "Rules of 5,000 flags with three rules and two variants",
  report.text(report.buildTable(manyValues)),
);

const setups = [
  ...(await inOrder(SIZES, (flags) => startServiceAndBare(service, flags))),
  await startServiceWithValues(service),
  await startServiceForOpenFeature(service),
  ...(await inOrder(REPORT_SIZES, (flags) => startServiceForReports(service, flags))),
];
const unleash = await startServiceForUnleash(service);
const comparisons = selected(setups);
const besides = selected([unleash]);
await run([...comparisons, ...besides], options);
await Promise.all([...setups, unleash].map((setup) => setup.dispose()));
section(
  "Against the bare Worker",
  `Medians of ${options.rounds} alternating rounds of ${options.seconds} s, ${options.connections} connections.`,
  "The bare Worker returns the same bytes and headers from memory. It reads the body of an evaluate",
  "request but does not parse it. A ratio of 1 is as fast as the bare Worker; more is better.",
  "",
  report.text(report.comparisonTable(comparisons)),
);
section(
  "Unleash SDKs against other SDKs",
  "A ratio of 1 is as fast as the corresponding request of another SDK to the same service. Columns",
  "named bare show that request.",
  "",
  report.text(report.comparisonTable(besides)),
);

const results = targets({
  comparisons: [...comparisons, ...besides],
  verdicts,
  build: manyValues,
  start,
}).filter(({ name }) => name.includes(options.only));
const targetTable = [
  ["", "target", "measured"],
  ...results.map(({ name, measured, isMet }) => [isMet ? "met" : "MISSED", name, measured]),
];
section("Targets", report.text(targetTable));

if (options.markdown)
  section(
    "For docs/build/performance.md",
    report.markdown(report.ratioTable(comparisons)),
    "",
    report.markdown(report.ratioTable(besides)),
    "",
    report.markdown(verdictTable),
    "",
    report.bundleLine(bundle),
    report.startLine(start),
  );

/** Returns the comparisons whose request the options select. */
function selected(started: readonly Setup[]): readonly Comparison[] {
  const all = started.flatMap((setup) => setup.comparisons);
  return all.filter(({ scenario }) => scenario.name.includes(options.only));
}

/** Compares the service of this checkout with the service of the checkout in the folder `other`. */
async function compare(other: string): Promise<void> {
  const build = { root, modules: (await buildBundle(root)).modules };
  const baseline = { root: other, modules: (await buildBundle(other)).modules };
  const { asked, differing } = await differingAnswers(build, baseline);
  section(
    "Answers",
    `${asked - differing.length} of ${asked} recorded requests have the same answers in both checkouts.`,
    ...differing,
  );
  // Restarts both services several times. Compiler and heap layout change the speed of the same
  // code by 10 % and more between processes, so restarts often give a better estimate than many
  // rounds in one process.
  const starts = await inOrder(Array.from({ length: options.starts }).keys(), async () => {
    const pairs = [
      ...(await inOrder(SIZES, (flags) => startTwoServices(build, baseline, flags))),
      ...(await inOrder(REPORT_SIZES, (flags) =>
        startTwoServicesForReports(build, baseline, flags),
      )),
    ];
    const compared = pairs.flatMap((setup) => setup.comparisons);
    await run(compared, options);
    await Promise.all(pairs.map((setup) => setup.dispose()));
    return compared;
  });
  const between = merged(starts);
  section(
    "Against the other checkout",
    `Medians of ${options.starts} starts of ${options.rounds} alternating rounds of ${options.seconds} s.`,
    "A ratio of 1 is as fast as the other checkout; more is better. Columns named bare show the other checkout.",
    "",
    report.text(report.comparisonTable(between)),
    "",
    report.meanLine(between),
  );
}
