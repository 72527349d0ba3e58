import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** On two slow cores a first start, with the build and the demo, has been seen to take 20 s. */
const START_MS = 120_000;
const STOP_MS = 30_000;
const LAST_LINE = /^curl .*\/api\/client\/evaluate$/m;

export const ADMINISTRATOR = { email: "owner@alpenglow.example", password: 'it\'s a "$HOME" test' };

/** `npm start`, as a process group of its own: a terminal, on which Ctrl-C can be pressed. */
export class Service {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  output = "";

  constructor(...args: readonly string[]) {
    this.#child = spawn("node", ["scripts/start.mjs", "--", ...args], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        BOOTSTRAP_ADMIN_EMAIL: ADMINISTRATOR.email,
        BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password,
        // Vitest's own would make wrangler believe that it is tested itself.
        NODE_ENV: "development",
        VITEST: undefined,
      },
    });
    const listen = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.#child.stdout?.on("data", listen);
    this.#child.stderr?.on("data", listen);
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", resolve);
    });
  }

  /** Comes back when everything is printed. */
  async started(): Promise<this> {
    await until("the lines are printed", START_MS, () => {
      if (this.#child.exitCode !== null) throw new Error(`It ended:\n${this.output}`);
      return LAST_LINE.test(this.output);
    });
    return this;
  }

  /** The exit code. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  get curlLines(): string[] {
    return this.output.split("\n").filter((line) => line.startsWith("curl "));
  }

  /** What follows a label. */
  printed(label: string): string {
    return new RegExp(`${label} +(.*)`).exec(this.output)?.[1] ?? "";
  }

  /** Ctrl-C: to every process of the group. Otherwise to the first one alone. */
  async stop(signal: "SIGINT" | "SIGTERM"): Promise<number | null> {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("It never ran");
    process.kill(signal === "SIGINT" ? -pid : pid, signal);
    const code = await this.#ended;
    await until("no process of the group is left", STOP_MS, () => !hasProcesses(pid));
    return code;
  }

  /** For a test that failed half-way. */
  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined && hasProcesses(pid)) process.kill(-pid, "SIGKILL");
  }
}

function hasProcesses(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  // What has ended counts until somebody asks for its exit code; in a container that may be nobody.
  return !existsSync("/proc/self/stat") || statesOf(group).some((state) => state !== "Z");
}

/** proc(5): `pid (name) state ppid pgrp ...`, with anything in the name. */
function statesOf(group: number): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const stat = readIfThere(`/proc/${pid}/stat`);
    const [state = "", , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(pgrp) === group ? [state] : [];
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export async function until(
  what: string,
  limit: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + limit;
  const check = async (): Promise<void> => {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`Not within ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await check();
  };
  await check();
}

/** A port on which nobody listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

const shell = promisify(execFile);
const CURL = path.join(import.meta.dirname, "curl.mjs");

/** Runs commands in a POSIX shell. On a machine without curl, `curl.mjs` replaces it. */
export async function paste(
  commands: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const lent = `command -v curl >/dev/null || curl() { node '${CURL}' "$@"; }`;
  const env = { ...process.env, ...variables };
  return (await shell("sh", ["-c", `${lent}\n${commands}`], { env })).stdout;
}
