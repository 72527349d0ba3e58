import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { ROOT } from "../../../scripts/lib/processes.ts";
import type { Json } from "../../worker/support/response.ts";

/** The built program. */
const PROGRAM = path.join(ROOT, "packages/cli/dist/main.mjs");

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  /** The environment variables. The child process has no others but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Starts the program in a child process without a terminal. */
export function startCli(args: readonly string[], { env, cwd = ROOT }: RunOptions = {}) {
  const variables = { PATH: process.env["PATH"], ...env };
  return spawn("env", ["-i", ...pairsOf(variables), process.execPath, PROGRAM, ...args], { cwd });
}

/** Runs the program in a child process without a terminal, to its end. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = startCli(args, options);
  child.stdin.end(options.input ?? "");
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

const pairsOf = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(variables).map(([name, value]) => `${name}=${value}`);

/** Returns the JSON that a run with `--json` has printed. */
export const printed = ({ stdout }: Run): Json => JSON.parse(stdout);
