import type { Context } from "hono";
import { KNOWN_METHODS } from "../core/metrics/request-histogram.ts";
import { isLogged, type Level, log } from "./log.ts";
import { routeOf } from "./route.ts";
import { ensureTrace, type TraceVariables } from "./trace.ts";

const LOGGER = "app.trace";

/**
 * Logs the span of a sampled request: method, route pattern, status and duration. The log record
 * contains neither path nor query, because their text comes from the caller.
 */
export function recordSpan<E extends { Variables: TraceVariables }>(
  c: Context<E>,
  level: Level,
  status: number,
): void {
  if (!isLogged(level, LOGGER)) return;
  const { traceId, spanId, parentSpanId, sampled, beganAt } = ensureTrace(c);
  if (!sampled) return;
  const method = KNOWN_METHODS.has(c.req.method) ? c.req.method : "OTHER";
  const route = routeOf(c);
  log(level, LOGGER, `${method} ${route} ${status}`, {
    traceId,
    spanId,
    parentSpanId,
    durationMs: Date.now() - beganAt,
    method,
    route,
    status,
  });
}
