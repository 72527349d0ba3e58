import type { Translate } from "../i18n/translate.ts";
import { dateOf } from "../time.ts";
import type { UsageParts } from "./usage-parts.ts";
import { evaluations, type Usage } from "./usage.ts";

/** The longest part of a file name, characters. Four parts fit into the 255 bytes of most file systems. */
const MAX_PART = 40;

/** Tells Excel that a file is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Returns what charts of usage show as CSV (RFC 4180): a row for each environment and each hour or day, oldest
 * first. `nameOf`: the name of an environment.
 */
export function usageCsv(
  t: Translate,
  usages: readonly Usage[],
  { all }: UsageParts,
  nameOf: (environmentId: number | null) => string,
): string {
  const head = [
    t("insights.environment"),
    t("insights.start"),
    ...all.map(({ label }) => label),
    t("insights.evaluations"),
  ];
  const rows = usages.flatMap(({ environmentId, series }) =>
    series.map((point) => [
      nameOf(environmentId),
      point.at,
      ...all.map(({ count }) => count(point)),
      evaluations(point),
    ]),
  );
  const lines = [head, ...rows].map((cells) => `${cells.map(cellOf).join(",")}\r\n`);
  return BYTE_ORDER_MARK + lines.join("");
}

/**
 * Quotes a cell if it needs quotes. A text that a spreadsheet would run as a formula gets an apostrophe, because
 * users choose names of variants and environments.
 */
function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Returns the name of the file: `names`, such as those of the project and the environment, then the first and the
 * last day.
 */
export function usageFileName(names: readonly string[], { interval, series }: Usage): string {
  const dayOf = (at: string) => (interval === "day" ? at.slice(0, 10) : dateOf(Date.parse(at)));
  const days = [series[0], series.at(-1)].map((point) => (point ? dayOf(point.at) : ""));
  const parts = ["usage", ...names, ...days].map((part) =>
    part.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, MAX_PART),
  );
  return `${parts.join("_")}.csv`;
}
