import { expect, it } from "vitest";
import { usageCsv, usageFileName } from "../../dashboard/src/shared/charts/usage-csv.ts";
import { flagParts } from "../../dashboard/src/shared/charts/usage-parts.ts";
import { sumOf, type Usage } from "../../dashboard/src/shared/charts/usage.ts";
import { t } from "./support/english.ts";

const usage = (environmentId: number, variants: Readonly<Record<string, number>>): Usage => {
  const counts = { t: 5, f: 0, variants };
  const series = [
    { at: "2026-01-02T01:00:00.000Z", ...counts },
    { at: "2026-01-02T02:00:00.000Z", t: 0, f: 0 },
  ];
  return { environmentId, interval: "hour", totals: counts, series };
};

const linesOf = (usages: readonly Usage[], nameOf: (id: number | null) => string) => {
  const totals = sumOf(usages.map((one) => one.totals));
  const parts = flagParts(t, { valueType: "string", variants: [] }, totals);
  return usageCsv(t, usages, parts, nameOf).split("\r\n");
};

it("the CSV has a row for each environment and hour, with the same columns for all environments", () => {
  const lines = linesOf([usage(1, { blue: 4 }), usage(2, { red: 5 })], (id) => `no. ${id}`);
  expect(lines).toEqual([
    "\uFEFFEnvironment,Start (UTC),blue,red,No variant,Evaluations",
    "no. 1,2026-01-02T01:00:00.000Z,4,0,1,5",
    "no. 1,2026-01-02T02:00:00.000Z,0,0,0,0",
    "no. 2,2026-01-02T01:00:00.000Z,0,5,0,5",
    "no. 2,2026-01-02T02:00:00.000Z,0,0,0,0",
    "",
  ]);
});

it.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ["a,b", `"a,b"`],
  [`a"b`, `"a""b"`],
  [`=HYPERLINK("x","y")`, `"'=HYPERLINK(""x"",""y"")"`],
  ["a\nb", `"a\nb"`],
  ["a=b", "a=b"],
])(
  "the CSV writes the name %j so that no spreadsheet runs it, and as RFC 4180 says",
  (name, cell) => {
    const [, line = ""] = linesOf([usage(1, {})], () => name);
    expect(line).toBe(`${cell},2026-01-02T01:00:00.000Z,5,5`);
  },
);

it("the file name has the project, the environments and the days, without characters that file systems reject", () => {
  const days = { ...usage(1, {}), interval: "day" as const };
  expect(usageFileName(["Größe / 1", "../prod", "x".repeat(200)], days)).toBe(
    `usage_Größe-1_..-prod_${"x".repeat(40)}_2026-01-02_2026-01-02.csv`,
  );
});
