import { app } from "./app.ts";
import { lazily } from "./core/lib/lazily.ts";
import { afterBody } from "./http/drop-body.ts";
import { withObservability } from "./platform/observability.ts";

export { Flags } from "./platform/flags-entrypoint.ts";
export { MetricsObject } from "./platform/objects/metrics-object.ts";
export { PasswordHasherObject } from "./platform/objects/password-hasher-object.ts";
export { RefreshFamilyObject } from "./platform/objects/refresh-family-object.ts";
export { SchedulerObject } from "./platform/scheduler-object.ts";
export { StreamHubObject } from "./platform/objects/stream-hub-object.ts";
export { StreamLeafObject } from "./platform/objects/stream-leaf-object.ts";
export { UsageObject } from "./platform/objects/usage-object.ts";

// Imported with the first batch and the first cron: most isolates only serve SDKs.
const consumers = lazily(() => import("./platform/consumers.ts"));
const cron = lazily(() => import("./platform/cron.ts"));

export default {
  fetch: withObservability((request: Request, env: Env, ctx: ExecutionContext) => {
    const answer = app.fetch(request, env, ctx);
    return request.method === "GET" ? answer : afterBody(request, answer);
  }),
  queue: withObservability(async (batch: MessageBatch, env: Env, ctx: ExecutionContext) => {
    const { queue } = await consumers();
    return queue(batch, env, ctx);
  }),
  scheduled: withObservability(
    async (controller: ScheduledController, env: Env, ctx: ExecutionContext) => {
      const { scheduled } = await cron();
      return scheduled(controller, env, ctx);
    },
  ),
} satisfies ExportedHandler<Env>;
