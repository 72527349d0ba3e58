import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import path from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";

export const ROOT = path.resolve(import.meta.dirname, "../..");

/**
 * How long after SIGTERM a child process gets SIGKILL, milliseconds. Wrangler exits in about one
 * second.
 */
const GRACE_MS = 8000;

/**
 * Environment variables. This type exists because the global type ProcessEnv also requires the
 * Worker's variables.
 */
export type Variables = Readonly<Record<string, string | undefined>>;

const running = new Set<ChildProcess>();

export interface Command {
  /** The path of a script of an installed package, relative to node_modules. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Variables;
  readonly cwd?: string;
}

/**
 * The streams of a child process. `piped`: this process reads the child's stdout, and has an IPC
 * channel to the child. `silent`: the same, and this process also reads the child's stderr.
 * `terminal`: the child shares the streams of this process.
 */
const STREAMS = {
  piped: ["ignore", "pipe", "inherit", "ipc"],
  silent: ["ignore", "pipe", "pipe", "ipc"],
  terminal: "inherit",
} satisfies Readonly<Record<string, StdioOptions>>;

/** Starts a script under the current Node. */
export function launch(
  { script, args, env, cwd = ROOT }: Command,
  streams: keyof typeof STREAMS = "piped",
): ChildProcess {
  const file = path.join(ROOT, "node_modules", script);
  const child = spawn(process.execPath, ["--no-warnings", file, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: STREAMS[streams],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/**
 * Runs a script and returns its stdout, which is printed only on failure. Its stderr is always
 * printed. Throws: an Error on failure.
 */
export async function run(command: Command): Promise<string> {
  const child = launch(command);
  const text = collect(child.stdout);
  const code = await ended(child);
  const output = text();
  if (code !== 0) process.stdout.write(output);
  expectSuccess(command, code);
  return output;
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a script and returns its exit code, stdout and stderr. Prints nothing. */
export async function attempt(command: Command): Promise<Outcome> {
  const child = launch(command, "silent");
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  return { code: await ended(child), output: output(), errors: errors() };
}

/**
 * Runs a command of a shell, which finds the commands in `node_modules/.bin` under npm. Returns its
 * exit code, and its stdout and stderr in the order in which they were written.
 */
export async function shell(command: string): Promise<{ code: number; output: string }> {
  const child = spawn(`${command} 2>&1`, {
    cwd: ROOT,
    shell: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = collect(child.stdout);
  return { code: await ended(child), output: text() };
}

/** Collects the text of a stream. The returned function returns the text so far. */
function collect(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Runs a script on this terminal, where the script may ask questions. Throws: an Error on failure. */
export async function runOnTerminal(command: Command): Promise<void> {
  expectSuccess(command, await ended(launch(command, "terminal")));
}

function expectSuccess({ script, args }: Command, code: number): void {
  if (code === 0) return;
  const tool = script.slice(0, script.indexOf("/"));
  throw new Error(`${tool} ${args.slice(0, 3).join(" ")} failed (${code})`);
}

/**
 * Waits for the child process to end. Returns its exit code, or 1 when a signal ended it. Throws:
 * an Error when the child process cannot be started.
 */
export function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  });
}

/** Stops all child processes that still run, and waits until they have ended. */
export async function stopAll(): Promise<void> {
  const endings = [...running].map(async (child) => {
    const end = ended(child).catch(() => 1);
    const force = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    child.kill("SIGTERM");
    await end;
    clearTimeout(force);
  });
  await Promise.all(endings);
}
