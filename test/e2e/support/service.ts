import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../process/support/service.ts";
import { startProxy } from "../../support/cloudflare-proxy.ts";
import { ADMIN } from "./people.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const READY_MS = 600_000;

/**
 * Starts the service with a new database for the whole run, behind a proxy that makes every ETag weak, as
 * Cloudflare does when it compresses a response. So every save that sends `If-Match` is tested with it. If `E2E_URL` is set, the tests use the
 * running service at that URL, and `E2E_LOG` must name its log.
 */
export default async function start(): Promise<() => Promise<void>> {
  if (process.env["E2E_URL"] !== undefined) return async () => {};
  const port = String(await freePort());
  const directory = mkdtempSync(path.join(tmpdir(), "feature-flags-e2e-"));
  const log = path.join(directory, "log");
  const file = openSync(log, "w");
  const data = path.join(directory, "data");
  const args = ["scripts/start.mjs", "--port", port, "--persist-to", data];
  const vars = [
    "--var",
    "WEBHOOK_ALLOW_HTTP:true",
    "QUOTA_PROJECTS:1000",
    "USAGE_FLUSH_SECONDS:0.5",
    "SIGN_ON_ALLOW_HTTP:true",
  ];
  const service = spawn(process.execPath, [...args, ...vars], {
    cwd: ROOT,
    stdio: ["ignore", file, file],
    env: {
      ...process.env,
      BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
      BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
  });
  closeSync(file);
  const ended = new Promise<void>((resolve) => service.once("exit", () => resolve()));
  const stop = async () => {
    service.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };

  const end = Date.now() + READY_MS;
  // The service is ready, and the demo data exists, when the start script prints its row "Stop".
  while (!/^ {2}Stop {2}/m.test(readFileSync(log, "utf8"))) {
    if (service.exitCode !== null || Date.now() > end) {
      console.error(readFileSync(log, "utf8"));
      await stop();
      throw new Error("The service did not start");
    }
    await wait(250);
  }
  const proxy = await startProxy(`http://localhost:${port}`, "weaken");
  process.env["E2E_URL"] = proxy.url;
  process.env["E2E_LOG"] = log;
  return async () => {
    await proxy.close();
    await stop();
  };
}
