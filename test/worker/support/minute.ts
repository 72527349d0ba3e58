import {
  createExecutionContext,
  createScheduledController,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

async function run(cron: string, replaced: Partial<Env>): Promise<void> {
  const context = createExecutionContext();
  await worker.scheduled(createScheduledController({ cron }), { ...env, ...replaced }, context);
  await waitOnExecutionContext(context);
}

/** Runs the jobs of the minute cron, with some of the Worker's bindings and settings replaced. */
export const minute = (replaced: Partial<Env> = {}): Promise<void> => run("* * * * *", replaced);

/** Runs the jobs of the hourly cron, with some of the Worker's bindings and settings replaced. */
export const hour = (replaced: Partial<Env> = {}): Promise<void> => run("17 * * * *", replaced);
