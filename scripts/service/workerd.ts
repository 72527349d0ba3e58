import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/**
 * The length of a clock tick in /proc, seconds: 100 ticks per second on every Linux that Node
 * supports.
 */
const TICK_S = 0.01;

const PARENT = /^\d+ \((.*)\) \S (\d+)/;

/**
 * Returns the process ids of the workerd children of this process; none on systems without /proc.
 */
export function workerdPids(): number[] {
  const names = attempt(() => readdirSync("/proc")) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [, command, parent] = PARENT.exec(statOf(name)) ?? [];
      return command === "workerd" && Number(parent) === process.pid ? Number(name) : [];
    });
}

/** Returns the user and system time of a process, seconds; undefined on systems without /proc. */
export function cpuSeconds(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  const fields = statOf(pid)
    .replace(/^.*\) /, "")
    .split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return Number.isFinite(user + system) ? (user + system) * TICK_S : undefined;
}

/**
 * Returns the CPU time of all living threads of a process, milliseconds. Unlike `cpuSeconds`, it has a
 * resolution of nanoseconds. NaN on systems without /proc.
 */
export function cpuOfThreads(pid: number | undefined): number {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  if (threads.length === 0) return Number.NaN;
  const times = threads.map((thread) =>
    Number(
      attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))?.split(" ")[0],
    ),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/**
 * The most CPU time, in seconds, that an idle process uses, and the time in which it is measured,
 * in milliseconds.
 */
const IDLE_CPU_S = 0.01;
const IDLE_MS = 500;

/** Waits until a process is idle. Returns at once on systems without /proc. */
export async function idle(pid: number | undefined): Promise<void> {
  for (let before = cpuSeconds(pid); before !== undefined;) {
    await setTimeout(IDLE_MS);
    const after = cpuSeconds(pid);
    if (after === undefined || after - before <= IDLE_CPU_S + TICK_S / 2) return;
    before = after;
  }
}

/** Returns the resident memory of a process, bytes; undefined on systems without /proc. */
export function residentBytes(pid: number | undefined): number | undefined {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/**
 * Returns the resident memory of a process, and the part of it that is mapped from files, such as the
 * program, bytes; NaN on systems without /proc.
 */
export function residentParts(pid: number | undefined): {
  readonly resident: number;
  readonly program: number;
} {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { resident: bytes("VmRSS"), program: bytes("RssFile") + bytes("RssShmem") };
}

const statOf = (pid: number | string): string =>
  attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
