import process from "node:process";
import { buildDashboard } from "./dashboard.ts";
import { prepareDatabase } from "./database.ts";
import { DEPLOY_HELP } from "./deploy-help.ts";
import { dryRun } from "./dry-run.ts";
import { assertMigrationsComplete } from "./drift.ts";
import { ROOT, runOnTerminal } from "./processes.ts";
import { assertSecrets } from "./required-secrets.ts";
import { assertPublicUrl } from "./required-variables.ts";
import { readOptions } from "./target.ts";
import { wrangler } from "./wrangler.ts";

/**
 * `npm run deploy -- --env staging [--dry-run] ...` applies the migrations, then deploys the
 * Worker. Before the first change, it checks `PUBLIC_URL`, the secrets and the migrations. It passes other
 * arguments to `wrangler deploy`, which creates the queues and the KV namespace. Throws: an Error that
 * says what to do.
 */
export async function deploy(argv: readonly string[]): Promise<void> {
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
