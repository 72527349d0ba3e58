import { vi } from "vitest";
import type { Json } from "./client.ts";

const METHODS = ["debug", "info", "log", "warn", "error", "trace", "dir"] as const;

/** What the console was given, by whatever method. */
export interface Output {
  readonly lines: readonly string[];
  /** The lines as records. Throws when one is not JSON. */
  readonly records: readonly Json[];
}

/** What the console gets while the work runs; nothing of it is shown. */
export async function consoleDuring(work: () => Promise<unknown>): Promise<Output> {
  const lines: string[] = [];
  const spies = METHODS.map((method) =>
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      lines.push(args.map(written).join(" "));
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

/** Errors with all that a console shows of them. */
function written(arg: unknown): string {
  if (typeof arg === "string") return arg;
  if (arg instanceof Error) return `${arg.stack} ${written(arg.cause)}`;
  return JSON.stringify(arg) ?? typeof arg;
}
