import type { ChildProcess } from "node:child_process";
import { devNull } from "node:os";
import path from "node:path";
import process from "node:process";
import type { StartOptions } from "./options.ts";
import { type Command, ended, launch, type Variables } from "./processes.ts";

/** The path of wrangler's main file. The `wrangler` command would add another process to stop. */
const SCRIPT = "wrangler/wrangler-dist/cli.js";

/**
 * The variables that turn off wrangler's banner, prompts, update checks, telemetry, and the lookup
 * of this machine's location.
 */
const QUIET = {
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** How long after a request of `npm start` itself wrangler may take to log it, milliseconds. */
const OWN_REQUESTS_MS = 200;

export const wrangler = (args: readonly string[], env?: Variables): Command => ({
  script: SCRIPT,
  args,
  env: { ...QUIET, ...env },
});

export interface Worker {
  /** Resolves when the Worker listens. Rejects when wrangler exits before that. */
  readonly ready: Promise<void>;
  /** Resolves with wrangler's exit code. */
  readonly end: Promise<number>;
  /** Prints wrangler's output, mostly requests, from now on. */
  show(): void;
  /** Prints wrangler's output so far, to explain why the Worker did not start. */
  replay(): void;
}

/**
 * Runs the Worker on the local runtime.
 *
 * The variables are passed in the environment, because every user of the machine can read a command
 * line. An empty env file keeps wrangler from reading `.dev.vars`.
 */
export function runWorker({ wranglerArgs, persistTo }: StartOptions, vars: Variables): Worker {
  const child = launch(
    wrangler(["dev", "--env-file", devNull, ...wranglerArgs], {
      ...vars,
      FORCE_COLOR: process.stdout.isTTY ? "1" : "0",
      // Uses a registry of running Workers for each checkout, so that two checkouts can run at the
      // same time.
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
      throw new Error(`wrangler dev exited with code ${code}`);
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
