import type { ChildProcess } from "node:child_process";
import { devNull } from "node:os";
import path from "node:path";
import process from "node:process";
import type { StartOptions } from "./options.ts";
import { type Command, ended, launch, run, type Variables } from "./processes.ts";

/** Its main file rather than its command, which would only be one process more to stop. */
const SCRIPT = "wrangler/wrangler-dist/cli.js";

/** No banner, no question, no look for updates, no statistics, no look-up of this machine's place. */
const QUIET = {
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Until the log of this script's own requests has come through the pipe. */
const OWN_REQUESTS_MS = 200;

export const wrangler = (args: readonly string[], env?: Variables): Command => ({
  script: SCRIPT,
  args,
  env: { ...QUIET, ...env },
});

/** Applies the migrations that the local database has not seen. */
export async function migrateLocally(persistTo: string): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo];
  await run(wrangler(args, { CI: "true" }));
}

export interface Worker {
  /** Resolves when it listens; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** The exit code, once it ends. */
  readonly end: Promise<number>;
  /** From now on its output, mostly the requests, is shown. */
  show(): void;
  /** Prints what was not shown, for whoever has to find out why it did not start. */
  replay(): void;
}

/**
 * Runs the Worker on the local runtime.
 *
 * The variables go through the environment: a command line can be read by every user of the
 * machine, and wrangler prefers the environment to an env file, here an empty one, that takes the
 * place of `.dev.vars`.
 */
export function runWorker({ wranglerArgs, persistTo }: StartOptions, vars: Variables): Worker {
  const child = launch(
    wrangler(["dev", "--env-file", devNull, ...wranglerArgs], {
      ...vars,
      FORCE_COLOR: process.stdout.isTTY ? "1" : "0",
      // Two checkouts that run at once must not take each other's Workers for their own.
      WRANGLER_REGISTRY_PATH: path.join(persistTo, "registry"),
    }),
  );
  const held: Buffer[] = [];
  let shown = false;
  child.stdout?.on("data", (chunk: Buffer) => {
    if (shown) process.stdout.write(chunk);
    else held.push(chunk);
  });
  const end = ended(child);
  const ready = Promise.race([
    listening(child),
    end.then((code) => {
      throw new Error(`wrangler dev ended (${code})`);
    }),
  ]);
  return {
    ready,
    end,
    show: () => {
      setTimeout(() => {
        shown = true;
      }, OWN_REQUESTS_MS);
    },
    replay: () => {
      process.stdout.write(Buffer.concat(held));
    },
  };
}

const listening = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.on("message", (message) => {
      if (JSON.stringify(message).includes("DEV_SERVER_READY")) resolve();
    });
  });
