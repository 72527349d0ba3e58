import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** Runs the jobs of the minute cron, with some of the Worker's bindings and settings replaced. */
export async function minute(replaced: Partial<Env> = {}): Promise<void> {
  const context = createExecutionContext();
  await worker.scheduled({ cron: "* * * * *" }, { ...env, ...replaced }, context);
  await waitOnExecutionContext(context);
}
