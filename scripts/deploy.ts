import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildDashboard } from "./lib/dashboard.ts";
import { ensureDatabase } from "./lib/database.ts";
import { assertMigrationsComplete } from "./lib/drift.ts";
import { ROOT, run, runOnTerminal, stopAll } from "./lib/processes.ts";
import { wrangler } from "./lib/wrangler.ts";

const BINDING = "DB";

/** `npm run deploy -- [--dry-run] [--env staging] ...`: migrations, then the Worker. */
async function deploy(argv: readonly string[]): Promise<void> {
  process.chdir(ROOT);
  const given = argv[0] === "--" ? argv.slice(1) : [...argv];
  const { values } = parseArgs({
    args: given,
    strict: false,
    options: {
      env: { type: "string", short: "e" },
      config: { type: "string", short: "c" },
      profile: { type: "string" },
      "dry-run": { type: "boolean" },
      outdir: { type: "string" },
    },
  });
  await buildDashboard();
  await assertMigrationsComplete();
  if (values["dry-run"] === true) {
    await dryRun(given, values.outdir === undefined ? undefined : String(values.outdir));
    return;
  }
  // The arguments that say where; the others are for `wrangler deploy` alone.
  const [env, config, profile] = [values.env, values.config, values.profile].map((value) =>
    value === undefined ? undefined : String(value),
  );
  const where = Object.entries({ env, config, profile }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  await ensureDatabase(BINDING, { env, config, args: where });
  await runOnTerminal(wrangler(["d1", "migrations", "apply", BINDING, "--remote", ...where]));
  await runOnTerminal(wrangler(["deploy", ...given]));
}

/** Needs no network and changes nothing outside of the output directory. */
async function dryRun(args: readonly string[], givenDirectory: string | undefined): Promise<void> {
  const directory = givenDirectory ?? "dist";
  const output = givenDirectory === undefined ? ["--outdir", directory] : [];
  await run({ script: "drizzle-kit/bin.cjs", args: ["check"] });
  await runOnTerminal(wrangler(["deploy", ...args, ...output]));
  const bundle = readFileSync(path.join(directory, "worker.js"));
  const sizes = `${kilobytes(bundle)}, gzipped ${kilobytes(gzipSync(bundle))}`;
  console.log(`\nThe migrations match the schema. Bundle: ${sizes}. Nothing was deployed.`);
}

const kilobytes = (data: Uint8Array) => `${(data.byteLength / 1024).toFixed(1)} KiB`;

try {
  await deploy(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stopAll();
  process.exitCode = 1;
}
