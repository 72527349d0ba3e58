import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { buildPackage } from "../../scripts/lib/built-package.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

// `npm run bench:cli` measures how long the command line takes to start, on the Node that runs this
// script. The fastest of many runs is the time without the other work of the machine.

const RUNS = 30;

/** The longest time that a start may take, milliseconds. */
const LIMIT_MS = 100;

await buildPackage("cli");
const program = path.join(ROOT, "packages/cli/dist/main.mjs");
const fastest = (args: readonly string[]): number =>
  Math.min(
    ...Array.from({ length: RUNS }, () => {
      const start = performance.now();
      spawnSync(process.execPath, args, { stdio: "ignore" });
      return performance.now() - start;
    }),
  );
console.log(`node ${process.version} alone: ${fastest(["-e", "0"]).toFixed(0)} ms`);
for (const args of [["--version"], ["list", "--help"]]) {
  const time = fastest([program, ...args]);
  console.log(`flags ${args.join(" ")}: ${time.toFixed(0)} ms`);
  if (time > LIMIT_MS) process.exitCode = 1;
}
