import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { assertFree } from "../../../scripts/lib/port.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/**
 * How long a start or a stop may take, milliseconds. Only a test that hangs takes this long: a
 * first start, with build and demo, took 20 s on two slow cores, and several times as long when
 * other processes used the cores.
 */
const START_MS = 240_000;
const STOP_MS = 120_000;
const LAST_LINE = /^curl .*\/api\/client\/evaluate$/m;

/**
 * Lets the system choose the port of the debugger. Otherwise services that start at the same time
 * choose the same port, and all but one end.
 */
const OWN_INSPECTOR = ["--inspector-port", "0"];

export const ADMINISTRATOR = { email: "owner@alpenglow.example", password: 'it\'s a "$HOME" test' };

/** `npm start` in its own process group, so that a test can send Ctrl-C to the whole group. */
export class Service {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  output = "";

  constructor(...args: readonly string[]) {
    this.#child = spawn("node", ["scripts/start.mjs", "--", ...OWN_INSPECTOR, ...args], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        BOOTSTRAP_ADMIN_EMAIL: ADMINISTRATOR.email,
        BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password,
        // Unsets Vitest's variables, with which wrangler would switch to its own test mode.
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

  /** Resolves when `npm start` has printed its last line. Throws: Error if it ends before. */
  async started(): Promise<this> {
    await until("the lines are printed", START_MS, () => {
      if (this.#child.exitCode !== null) throw new Error(`npm start ended:\n${this.output}`);
      return LAST_LINE.test(this.output);
    });
    return this;
  }

  /** Resolves with the exit code of `npm start` when its process has ended. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  get curlLines(): string[] {
    return this.output.split("\n").filter((line) => line.startsWith("curl "));
  }

  /**
   * Returns the text that `npm start` printed after a label; an empty text if the label is missing.
   */
  printed(label: string): string {
    return new RegExp(`${label} +(.*)`).exec(this.output)?.[1] ?? "";
  }

  /**
   * Sends SIGINT to the whole process group, as Ctrl-C does, or SIGTERM to its first process. Waits
   * until no process of the group is left. Returns the exit code.
   */
  async stop(signal: "SIGINT" | "SIGTERM"): Promise<number | null> {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("npm start did not run");
    process.kill(signal === "SIGINT" ? -pid : pid, signal);
    const code = await this.#ended;
    await until("no process of the group is left", STOP_MS, () => !hasProcesses(pid));
    return code;
  }

  /** Kills the whole process group if any of its processes still runs. */
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
  // Ignores zombies. A zombie has ended, but stays in the process list until its parent reads the
  // exit code, and in a container the parent may never do that.
  return !existsSync("/proc/self/stat") || statesOf(group).some((state) => state !== "Z");
}

/**
 * Returns the states of the group's processes (R, S, Z and so on). /proc/PID/stat has `pid (name)
 * state ppid pgrp ...`. The name may contain any character: proc(5).
 */
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

/**
 * The ports that tests choose from. The system takes the ports of outgoing connections, and of the
 * local runtime's own sockets, from 32768 on: one of those may be in use when the service starts.
 */
const PORTS = { first: 20_000, count: 10_000 };

/** Returns a TCP port that is free on 127.0.0.1. */
export async function freePort(): Promise<number> {
  const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
  try {
    await assertFree(port, 0);
    return port;
  } catch {
    return freePort();
  }
}

const shell = promisify(execFile);
const CURL = path.join(import.meta.dirname, "curl.mjs");

/** Runs commands in a POSIX shell, and returns their stdout. `curl.mjs` replaces a missing curl. */
export async function paste(
  commands: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const lent = `command -v curl >/dev/null || curl() { node '${CURL}' "$@"; }`;
  const env = { ...process.env, ...variables };
  return (await shell("sh", ["-c", `${lent}\n${commands}`], { env })).stdout;
}
