import path from "node:path";
import process from "node:process";
import { createDemo } from "./demo.ts";
import { writeHistory } from "./demo-history.ts";
import { createKeys, workingKeys } from "./demo-keys.ts";
import { reportUsage } from "./demo-usage.ts";
import type { Session } from "./lib/api.ts";
import { curlLines, demoRow, noLinesRow, row, signInRows } from "./lib/banner.ts";
import { runCrons } from "./lib/crons.ts";
import { buildDashboard } from "./lib/dashboard.ts";
import { type DemoRecord, demoFile, readDemo, saveDemo } from "./lib/demo-file.ts";
import { migrateLocally } from "./lib/database.ts";
import { parseOptions, type StartOptions } from "./lib/options.ts";
import { assertFree } from "./lib/port.ts";
import { ROOT, stopAll, type Variables } from "./lib/processes.ts";
import { readOrMakeSecrets } from "./lib/secrets.ts";
import { signInOf, trySignIns } from "./lib/sign-in.ts";
import { runWorker } from "./lib/wrangler.ts";

const HELP = `Runs the service on this machine, with demo data in a new database.

  npm start -- [--port <port>] [--persist-to <folder>] [--var <NAME>:<value>]

  --port <port>          the port; without it, 8787
  --persist-to <folder>  where the database is; without it, .wrangler/state
  --var <NAME>:<value>   a variable of wrangler.toml

Other options go to "wrangler dev".`;

let stopping = false;

/** `npm start`: prepares a fresh clone, then runs the Worker until it is stopped. */
export async function start(argv: readonly string[]): Promise<void> {
  if (argv.includes("--help") || argv.includes("-h")) {
    console.log(HELP);
    return;
  }
  process.chdir(ROOT);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop(0));
  try {
    await stop(await serve(parseOptions(argv)));
  } catch (error) {
    // Prints no error while `npm start` is stopping, because a non-zero exit code of a child
    // process is then expected.
    if (!stopping) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await stopAll();
  process.exit(code);
}

async function serve(options: StartOptions): Promise<number> {
  await assertFree(options.port);
  console.log("Preparing the dashboard and the database ...");
  const secrets = readOrMakeSecrets(path.join(ROOT, ".dev.vars"));
  const vars = { ...secrets, ...process.env };
  await Promise.all([buildDashboard(), migrateLocally(options.persistTo)]);
  const worker = runWorker(options, vars);
  try {
    await worker.ready;
    console.log(await introduction(options, [{ ...vars, ...options.vars }, vars, secrets]));
    runCrons(options.address);
  } catch (error) {
    if (!stopping) worker.replay();
    throw error;
  }
  worker.show();
  return worker.end;
}

/**
 * Creates the demo project if the database has not had one, and returns the text that `npm start`
 * prints.
 */
async function introduction(
  { address, persistTo }: StartOptions,
  variables: readonly [Variables, ...Variables[]],
): Promise<string> {
  const wanted = signInOf(variables[0]);
  const signedIn = await trySignIns(address, variables.map(signInOf));
  const session = signedIn?.session;
  const file = demoFile(persistTo);
  const record = session ? await ensureDemo(session, address, file) : readDemo(file);
  const keys = record && (await workingKeys(session, address, file, record));
  const lines = keys && (await curlLines(address, keys));
  await session?.close();
  const shownFile = path.relative(ROOT, file).startsWith("..") ? file : path.relative(ROOT, file);
  return [
    "",
    row("Address", address),
    "",
    signInRows(signedIn?.signIn, wanted),
    ...(lines === undefined ? [noLinesRow(shownFile)] : [demoRow(shownFile)]),
    row("Data", path.dirname(shownFile)),
    row("Stop", "Ctrl-C"),
    ...(lines === undefined ? [] : ["", lines]),
    "",
  ].join("\n");
}

/**
 * Creates the demo project unless the demo file says that this database already has a complete one.
 * Returns the content of the demo file. Ignores a demo file that belongs to another database, for
 * example to a deleted one.
 */
async function ensureDemo(session: Session, address: string, file: string): Promise<DemoRecord> {
  const database = session.administratorSince;
  const known = readDemo(file);
  const record: DemoRecord =
    known?.database === database ? known : { database, projectId: null, complete: false, keys: [] };
  if (record.complete) return record;
  console.log("Creating a demo project ...");
  const projectId = await createDemo(session);
  const made = await createKeys(session, file, saveDemo(file, { ...record, projectId }));
  await writeHistory(session, address, projectId, await reportUsage(address, made.keys));
  return saveDemo(file, { ...made, complete: true });
}
