import { type Bindings, counts } from "./counts.ts";
import { metered, operationsOf } from "./metered-bindings.ts";
import { runDueAlarms } from "./metered-objects.ts";
import { clock } from "./moved-clock.ts";

export { meteredObject } from "./metered-objects.ts";

/** The paths of the benchmark. The service itself has no such routes. */
const COUNTS_PATH = "/__bench/counts";
const LATER_PATH = "/__bench/later";

interface Batch {
  readonly messages: readonly { readonly body: unknown }[];
}

interface Service {
  fetch(request: Request, env: Bindings, ctx: unknown): Promise<Response> | Response;
  queue(batch: Batch, env: Bindings, ctx: unknown): Promise<void>;
  scheduled(event: { readonly cron: string }, env: Bindings, ctx: unknown): Promise<void>;
}

/**
 * Returns the service, extended to count what Cloudflare bills. `LATER_PATH?ms=N&cron=C` moves the
 * clock, then runs the alarms of Durable Objects that are due, and the cron jobs.
 */
export const metering = (service: Service) => ({
  async fetch(request: Request, env: Bindings, ctx: unknown): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === LATER_PATH) {
      clock.moved += Number(searchParams.get("ms"));
      await runDueAlarms(env);
      for (const cron of searchParams.getAll("cron"))
        await service.scheduled({ cron }, metered(env, "jobStatements"), ctx);
    } else if (pathname !== COUNTS_PATH)
      return service.fetch(request, metered(env, "requestStatements"), ctx);
    return Response.json(counts);
  },
  async queue(batch: Batch, env: Bindings, ctx: unknown): Promise<void> {
    counts.queueBatches += 1;
    for (const { body } of batch.messages) counts.queueOperations += operationsOf(body);
    await service.queue(batch, metered(env, "jobStatements"), ctx);
  },
});
