import type { FixtureFlag } from "./fixtures.ts";
import { reportOf } from "./scenarios.ts";

// A numbered report is counted by a digit of its own in the count of a flag. So the counts tell which
// reports were counted, and how often.

/** A digit is how often a report was counted, 0 to 7. */
const BASE = 8;
/** The digits of a flag. With them, its largest count is below the limit of the API, 10^9. */
const DIGITS = 9;
/** The flags that every report has, beside the flag with its number: together 20. */
const COMMON = 19;

/** Returns how many flags are needed for the numbers 0 to `reports` - 1. */
export const flagsFor = (reports: number): number => COMMON + Math.ceil(reports / DIGITS);

const flagOf = (number: number) => COMMON + Math.floor(number / DIGITS);

/** Returns the body of the usage report with a number. */
export function numberedReport(flags: readonly FixtureFlag[], number: number): string {
  const numbered = flags[flagOf(number)]?.key ?? "";
  const evaluations = {
    ...Object.fromEntries(flags.slice(0, COMMON).map(({ key }) => [key, { t: 1, f: 0 }])),
    [numbered]: { t: BASE ** (number % DIGITS), f: 0 },
  };
  return reportOf(`bench-${number % 50}`, evaluations);
}

/** The counts of reports, as the service knows them. */
export interface NumberedCounts {
  /** How often each report was counted, by its number. */
  readonly times: readonly number[];
  /** The counts of the flags that every report has. */
  readonly common: readonly number[];
}

/**
 * Reads how often each of the reports 0 to `reports` - 1 was counted. `trueCount` returns how often
 * the flag with an index was true.
 */
export async function readNumbered(
  reports: number,
  trueCount: (index: number) => Promise<number>,
): Promise<NumberedCounts> {
  const sums: number[] = [];
  for (let index = 0; index < flagsFor(reports); index++) sums.push(await trueCount(index));
  const times = Array.from(
    { length: reports },
    (_, number) => Math.floor((sums[flagOf(number)] ?? 0) / BASE ** (number % DIGITS)) % BASE,
  );
  return { times, common: sums.slice(0, COMMON) };
}
