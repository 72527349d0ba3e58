import process from "node:process";

/**
 * Returns the CPU time that this thread spends on `work`, milliseconds. Unlike the time on the
 * clock, the CPU time does not depend on other processes of the machine.
 */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
