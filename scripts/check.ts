import process from "node:process";
import { shell } from "./lib/processes.ts";

/**
 * Checks the types of a project with one thread. Two checks run at a time, and further threads of tsc
 * would check the same types again.
 */
const tsc = (project: string) => `tsc --singleThreaded -p ${project}`;

// `npm run check` runs every check, two at a time, even after a failure, and prints the output of each
// check at its end. The slowest ones start first, so that none of them runs alone at the end.
const CHECKS = [
  "oxlint",
  tsc("dashboard/tsconfig.json"),
  tsc("test/tsconfig.json"),
  tsc("tsconfig.json"),
  "node scripts/deploy.ts --dry-run",
  "knip",
  "npm run --silent check --workspace packages/sdk",
  "node scripts/description.ts --check",
  "node scripts/permissions.ts --check",
  "node scripts/types.ts --check",
  "node scripts/migrations.ts",
  "node scripts/rooms.ts",
  "node measure/scale/scale.ts --check",
  "drizzle-kit check",
  tsc("examples/react"),
  tsc("examples/node"),
  tsc("examples/worker"),
  tsc("test/e2e/client-pages"),
  tsc("packages/sdk"),
  tsc("packages/cli"),
  tsc("packages/client-api"),
  tsc("packages/evaluation"),
  tsc("packages/file"),
  tsc("packages/convert"),
  tsc("packages/unleash"),
  tsc("packages/permissions"),
  "oxfmt --check .",
  "node scripts/sdk-api.ts --check",
];

const failed: string[] = [];
const waiting = [...CHECKS];
await Promise.all([runNext(), runNext()]);
for (const check of failed) console.error(`failed: ${check}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const { code, output } = await shell(check);
    console.log(`\n${check}\n${output}`);
    if (code !== 0) failed.push(check);
  }
}
