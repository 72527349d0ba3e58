import { vi } from "vitest";
import type { Json } from "./client.ts";

const METHODS = ["debug", "info", "log", "warn", "error", "trace", "dir"] as const;

/** What the code wrote with the console methods. */
export interface Output {
  readonly lines: readonly string[];
  /** The lines, parsed as log records. Throws: SyntaxError when a line is not JSON. */
  readonly records: readonly Json[];
}

/** Captures the console output while `work` runs, and keeps it off the console. */
export async function consoleDuring(work: () => Promise<unknown>): Promise<Output> {
  const lines: string[] = [];
  const spies = METHODS.map((method) =>
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      lines.push(args.map(printed).join(" "));
    }),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return {
    lines,
    get records() {
      return lines.map((line) => JSON.parse(line));
    },
  };
}

/** The text of one console argument. For an error: its stack and its cause. */
function printed(arg: unknown): string {
  if (typeof arg === "string") return arg;
  if (arg instanceof Error) return `${arg.stack} ${printed(arg.cause)}`;
  return JSON.stringify(arg) ?? typeof arg;
}
