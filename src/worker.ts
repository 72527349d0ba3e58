import { app } from "./app.ts";
import { queue } from "./platform/consumers.ts";
import { scheduled } from "./platform/cron.ts";
import { withObservability } from "./platform/observability.ts";

export { Flags } from "./platform/flags-entrypoint.ts";
export { MetricsObject } from "./platform/objects/metrics-object.ts";
export { PasswordHasherObject } from "./platform/objects/password-hasher-object.ts";
export { RefreshFamilyObject } from "./platform/objects/refresh-family-object.ts";
export { SchedulerObject } from "./platform/objects/scheduler-object.ts";
export { StreamHubObject } from "./platform/objects/stream-hub-object.ts";
export { StreamLeafObject } from "./platform/objects/stream-leaf-object.ts";
export { UsageObject } from "./platform/objects/usage-object.ts";

export default {
  fetch: withObservability(app.fetch),
  queue: withObservability(queue),
  scheduled: withObservability(scheduled),
} satisfies ExportedHandler<Env>;
