import type { Context } from "hono";
import { ensureTrace, type TraceVariables } from "./http/trace.ts";
import { requestHistogram } from "./platform/runtime/metrics.ts";
import { reportMetricsSoon } from "./platform/runtime/metrics-report.ts";

interface RecordedEnv {
  Bindings: Env;
  Variables: TraceVariables;
}

/** Counts a request in the metrics of the isolate (see `RecordRequest`). */
export function recordRequest<E extends RecordedEnv>(
  c: Context<E>,
  route: string,
  status: number,
): void {
  const seconds = (Date.now() - ensureTrace(c).beganAt) / 1000;
  requestHistogram.observe(c.req.method, route, status, seconds);
  reportMetricsSoon(c.env, c.executionCtx);
}
