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

const numbers = Array.from({ length: 20_000 }, (_, n) => ({ n, text: `${(n * 7919) % 20_011}` }));

/** A fixed work of about 25 ms on the machine of the measurements. */
function reference(): void {
  for (let n = 0; n < 5; n++) JSON.parse(JSON.stringify(numbers));
}

/**
 * Returns the CPU time of `work` divided by that of a reference, which runs before and after it. So the
 * result does not depend on the speed of the machine, or on what other threads do to its caches.
 */
export function cpuRatio(work: () => void): number {
  const before = cpuTime(reference);
  const time = cpuTime(work);
  return time / Math.max(before, cpuTime(reference));
}
