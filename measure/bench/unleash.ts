import { type ClientRule, toClientRule } from "@feature-flags/evaluation/rule";
import { unleashFeatures } from "@feature-flags/unleash/body";
import {
  type FixtureFlag,
  fixtureFlags,
  fixtureFlagsWithValues,
  SEGMENT,
  segmentConstraints,
} from "../../scripts/service/fixtures.ts";
import { median } from "../../scripts/lib/statistics.ts";

// `npm run bench:unleash` measures how long the document for SDKs of Unleash takes, from the JSON of the
// rules to the JSON of the features. The goal is 25 ms for 1,000 flags.

const FLAGS = Number(process.argv[2] ?? 1000);
const ROUNDS = 30;

const SEGMENTS = new Map([[1, { name: SEGMENT, constraints: segmentConstraints }]]);

function ruleOf({ values, segment, ...flag }: FixtureFlag): ClientRule {
  const { serve, rules, ...typed } = values ?? {};
  const segmentIds = segment === null ? [] : [1];
  return toClientRule({ ...flag, ...typed }, { ...flag, segmentIds, serve, rules }, SEGMENTS);
}

const cases = {
  "one rule": fixtureFlags(FLAGS),
  "four rules, two values of 400 bytes": fixtureFlagsWithValues(FLAGS, {
    valueBytes: 400,
    rules: 3,
  }),
};

const rows = Object.entries(cases).map(([name, flags]) => {
  const rules = JSON.stringify(flags.map(ruleOf));
  let bytes = 0;
  const times = Array.from({ length: ROUNDS }, () => {
    const { user, system } = process.threadCpuUsage();
    const features = unleashFeatures(JSON.parse(rules) as ClientRule[], "a");
    const after = process.threadCpuUsage();
    bytes = features.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return (after.user + after.system - user - system) / 1000;
  });
  const kilobytes = (length: number) => Math.round(length / 1000);
  return {
    [`${FLAGS} flags`]: name,
    "first ms": Math.round(times[0] ?? 0),
    "median ms": Number(median(times).toFixed(1)),
    "KB of rules": kilobytes(rules.length),
    "KB of features": kilobytes(bytes),
  };
});
console.table(rows);
