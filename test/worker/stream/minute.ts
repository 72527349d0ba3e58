import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** Runs the jobs of the minute cron. */
export async function minute(): Promise<void> {
  const context = createExecutionContext();
  await worker.scheduled({ cron: "* * * * *" }, env, context);
  await waitOnExecutionContext(context);
}
