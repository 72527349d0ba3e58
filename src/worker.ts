import { app } from "./app.ts";
import { queue } from "./platform/consumers.ts";
import { scheduled } from "./platform/cron.ts";
import { withObservability } from "./platform/observability.ts";

export { Flags } from "./platform/flags-entrypoint.ts";
export { MetricsObject } from "./platform/metrics-object.ts";
export { PasswordHasherObject } from "./platform/password-hasher-object.ts";
export { RefreshFamilyObject } from "./platform/refresh-family-object.ts";
export { StreamHubObject } from "./platform/stream-hub-object.ts";
export { StreamLeafObject } from "./platform/stream-leaf-object.ts";
export { UsageObject } from "./platform/usage-object.ts";

export default {
  fetch: withObservability("fetch", app.fetch),
  queue: withObservability("queue", queue),
  scheduled: withObservability("scheduled", scheduled),
} satisfies ExportedHandler<Env>;
