import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { prepareDatabase } from "../../scripts/lib/database.ts";
import { deploy } from "../../scripts/lib/deploy.ts";
import { readOptions } from "../../scripts/lib/target.ts";
import { Account } from "./support/account.ts";
import { CloudflareApi } from "./support/cloudflare-api.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SECRETS = [
  "SERVICE_JWT_SECRET",
  "SERVICE_ENCRYPTION_KEY",
  "BOOTSTRAP_ADMIN_EMAIL",
  "BOOTSTRAP_ADMIN_PASSWORD",
  "ACTUATOR_TOKEN",
];
/** The arguments for the address of the dashboard, which wrangler.toml of a fresh clone lacks. */
const AT = ["--var", "PUBLIC_URL:https://flags.example.com"];
const QUEUES = ["webhooks", "webhooks-dead", "usage"].map(
  (name) => `feature-flags-staging-${name}`,
);
/** The changes that set the Worker's cron and queue triggers, which wrangler makes last. */
const TRIGGERS = ["schedule * * * * *, 17 * * * *", ...QUEUES.map((name) => `consume ${name}`)];
const MIGRATIONS = readdirSync(path.join(ROOT, "migrations")).filter((file) =>
  file.endsWith(".sql"),
);

let account: Account;
let api: CloudflareApi;

async function open(): Promise<void> {
  account = new Account();
  api = await CloudflareApi.open(account.routes);
}

const close = () => {
  api.close();
};

/**
 * The variables with which wrangler calls the simulated account. Unsets Vitest's variables, with which
 * wrangler would switch to its own test mode.
 */
const variables = () => ({ ...api.variables, NODE_ENV: "development", VITEST: undefined });

/**
 * Runs the script of `npm run deploy` against the simulated account. Returns exit code and output.
 */
function runDeploy(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["scripts/deploy.ts", "--", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables() },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((resolve) => {
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

/**
 * Returns the account's changes up to the upload of the Worker, and its changes after the upload.
 */
function atUpload(): [readonly string[], ReadonlySet<string>] {
  const { changes } = account;
  const at = changes.indexOf("upload feature-flags-staging") + 1;
  return [changes.slice(0, at), new Set(changes.slice(at))];
}

/** Calls the simulated account from this process, too. */
async function openHere(): Promise<void> {
  await open();
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
}

const closeHere = () => {
  vi.unstubAllEnvs();
  close();
};

/** Runs a deployment in this process, which must fail. Returns the message of its error. */
const refusal = (...args: readonly string[]): Promise<string> =>
  deploy(args).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

describe("npm run deploy", () => {
  beforeEach(openHere);
  afterEach(closeHere);

  it("fails without --env, sends no request, and prints the command for each environment", async () => {
    const message = await refusal();
    expect(message).toContain("npm run deploy -- --env staging");
    expect(message).toContain("npm run deploy -- --env production");
    expect(api.calls).toEqual([]);
  });

  it("changes nothing while a secret is missing, and prints how to set it", async () => {
    const lacking = ["SERVICE_JWT_SECRET", "ACTUATOR_TOKEN"];
    account.secrets.push(...SECRETS.filter((name) => !lacking.includes(name)));
    const message = await refusal("--env", "staging", ...AT);
    for (const name of lacking) expect(message).toContain(`secret put ${name} --env staging`);
    expect(message).not.toContain("secret put SERVICE_ENCRYPTION_KEY");
    expect(account.changes).toEqual([]);
  });

  it("lists every secret as missing when the Worker does not exist", async () => {
    const message = await refusal("--env", "production", ...AT);
    for (const name of SECRETS) expect(message).toContain(`put ${name} --env production`);
    expect(account.changes).toEqual([]);
  });
});

describe("npm run deploy to an empty account", () => {
  beforeAll(openHere);
  afterAll(closeHere);

  it("stops at a failing migration and uploads nothing", async () => {
    account.secrets.push(...SECRETS);
    account.failingMigration = MIGRATIONS.at(-1);
    const { code, output } = await runDeploy("--env", "staging", ...AT);
    expect(code).toBe(1);
    expect(output).toContain("d1 migrations apply failed");
    expect(account.changes).toEqual([
      "create database feature-flags-staging",
      "replicate feature-flags-staging",
      ...MIGRATIONS.slice(0, -1).map((name) => `migrate ${name}`),
    ]);
  });

  it("continues with the migration that failed before, creates the KV namespace, the queues, the Worker and its triggers, and accepts secrets from a file", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
    const file = path.join(directory, "secrets");
    writeFileSync(file, "SERVICE_JWT_SECRET=a secret of the tests, 32 bytes or more\n");
    account.secrets.splice(account.secrets.indexOf("SERVICE_JWT_SECRET"), 1);
    account.failingMigration = undefined;
    account.changes.length = 0;
    const { code, output } = await runDeploy("--env", "staging", ...AT, "--secrets-file", file);
    rmSync(directory, { recursive: true });
    expect(output).toContain("https://feature-flags-staging.example.workers.dev");
    expect(code).toBe(0);
    const [before, after] = atUpload();
    expect(after).toEqual(new Set(TRIGGERS));
    expect(before).toEqual([
      `migrate ${MIGRATIONS.at(-1)}`,
      "create namespace feature-flags-staging-edge",
      ...QUEUES.map((name) => `create queue ${name}`),
      "upload feature-flags-staging",
    ]);
    expect(account.databases).toMatchObject([{ replication: "auto" }]);
    expect(account.queues.get("feature-flags-staging-webhooks")).toMatchObject({
      dead_letter_queue: "feature-flags-staging-webhooks-dead",
      settings: { batch_size: 5, max_retries: 10 },
    });
    expect(account.uploaded?.bindings).toContainEqual({
      type: "secret_text",
      name: "SERVICE_JWT_SECRET",
      text: "a secret of the tests, 32 bytes or more",
    });
    expect(api.unknown).toEqual([]);
  });

  it("changes nothing when the database is older than the first release, and says what to delete", async () => {
    const [{ sqlite }] = account.databases as [Account["databases"][number]];
    sqlite.exec("UPDATE d1_migrations SET name = '0000_foundation.sql' WHERE id = 1");
    account.changes.length = 0;
    // Runs only the step of the deploy that reads the database.
    const prepared = prepareDatabase(readOptions(["--env", "staging"]).target);
    await expect(prepared).rejects.toThrow(
      /0000_foundation\.sql[^]*npx wrangler d1 delete feature-flags-staging --env staging/,
    );
    expect(account.changes).toEqual([]);
  });
});
