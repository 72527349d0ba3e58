import { isRecord } from "@feature-flags/evaluation/record";

export const isFunction = (value: unknown): boolean => typeof value === "function";

/** Returns the timeout of a call, milliseconds. Undefined: it is not a number from 0. */
export function timeoutOf(options: unknown, fallback: number): number | undefined {
  const given: unknown = options ?? {};
  const timeout = isRecord(given) ? (given["timeout"] ?? fallback) : undefined;
  return typeof timeout === "number" && timeout >= 0 ? timeout : undefined;
}
