import { app } from "./app.ts";
import { queue, scheduled } from "./platform/consumers.ts";
import { observed } from "./platform/observe.ts";

export { MetricsObject } from "./platform/metrics-object.ts";
export { RefreshFamilyObject } from "./platform/refresh-family-object.ts";

export default {
  fetch: observed(app.fetch),
  queue: observed(queue),
  scheduled: observed(scheduled),
} satisfies ExportedHandler<Env>;
