import process from "node:process";
import { buildDashboard } from "./lib/dashboard.ts";
import { prepareDatabase } from "./lib/database.ts";
import { DEPLOY_HELP } from "./lib/deploy-help.ts";
import { dryRun } from "./lib/dry-run.ts";
import { assertMigrationsComplete } from "./lib/drift.ts";
import { ROOT, runOnTerminal, stopAll } from "./lib/processes.ts";
import { assertSecrets } from "./lib/required-secrets.ts";
import { assertPublicUrl } from "./lib/required-variables.ts";
import { readOptions } from "./lib/target.ts";
import { wrangler } from "./lib/wrangler.ts";

/**
 * `npm run deploy -- --env staging [--dry-run] ...` applies the migrations, then deploys the
 * Worker. Before the first change, it checks `PUBLIC_URL`, the secrets and the migrations. It passes other
 * arguments to `wrangler deploy`, which creates the queues and the KV namespace.
 */
async function deploy(argv: readonly string[]): Promise<void> {
  if (argv.includes("--help") || argv.includes("-h")) {
    console.log(DEPLOY_HELP);
    return;
  }
  process.chdir(ROOT);
  const options = readOptions(argv);
  const { target, given, secretsFile } = options;
  if (options.dryRun) {
    await buildDashboard();
    await dryRun(options);
    return;
  }
  if (target.env === undefined) {
    const names = target.config.definedEnvironments ?? [];
    throw new Error(
      "The top level of wrangler.toml is for local development. Deploy an environment:\n\n" +
        names.map((name) => `  npm run deploy -- --env ${name}`).join("\n"),
    );
  }
  assertPublicUrl(options);
  await assertSecrets(target, secretsFile);
  await assertMigrationsComplete();
  await buildDashboard();
  await prepareDatabase(target);
  await runOnTerminal(wrangler(["deploy", ...given]));
}

try {
  await deploy(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stopAll();
  process.exitCode = 1;
}
