import { Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { change, type ChangeOptions } from "./change.ts";

/** Sets the percentage of a flag, 0 to 100 with up to three decimals. */
export async function run(
  terminal: Terminal,
  options: ChangeOptions,
  key: string,
  percentage: string,
): Promise<number> {
  return change(terminal, options, key, { exactPercentage: percentageOf(percentage) });
}

/** Reads a percentage such as `12.5` or `12.5%`. Throws: a Failure. */
export function percentageOf(text: string): number {
  const number = /^\d{1,3}(?:\.\d{1,3})?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new Failure(
    "usage",
    `percentage must be between 0 and 100, with up to three decimals: ${text}`,
  );
}
