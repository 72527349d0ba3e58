import manifest from "../../package.json" with { type: "json" };
import { CachedRead } from "../core/lib/cached-read.ts";
import { type ActuatorCache, type ActuatorDeps, ENDPOINTS } from "../health/ports.ts";
import { now, wait } from "./runtime/clock.ts";
import { openSession } from "./bindings/database.ts";
import { requestFaultReporter, type FaultOrigin } from "./runtime/fault.ts";
import { observeQuery } from "./runtime/metrics.ts";
import { readMetricTotals } from "./runtime/metrics-report.ts";
import { admitToOperations } from "./caller-limits.ts";
import { settings } from "./runtime/settings.ts";
import { signOnSettings } from "./sign-on.ts";

/**
 * The variables that this file reads. Each may be missing, although Wrangler's types say that every
 * variable in wrangler.toml is set.
 */
type Variables = Partial<Env>;

/** How long the isolate uses a result of `GET /actuator/health`, milliseconds. */
const HEALTH_MAX_AGE_MS = 1_000;

/**
 * How long the isolate uses the totals of the metrics, milliseconds. Isolates report their metrics
 * every 5 seconds, so a fresher total would hardly differ.
 */
const TOTALS_MAX_AGE_MS = 5_000;

/**
 * How long a request waits for a read that another request has begun, milliseconds. Longer than the
 * timeouts of both reads.
 */
const READ_TIMEOUT_MS = 6_000;

/**
 * The caches of the isolate by environment. Tests replace the environment, so that each test gets
 * its own cache.
 */
const caches = new WeakMap<Env, ActuatorCache>();

function cacheOf(env: Env): ActuatorCache {
  const known = caches.get(env);
  if (known) return known;
  const cache: ActuatorCache = {
    health: new CachedRead(HEALTH_MAX_AGE_MS, READ_TIMEOUT_MS),
    totals: new CachedRead(TOTALS_MAX_AGE_MS, READ_TIMEOUT_MS),
  };
  caches.set(env, cache);
  return cache;
}

/**
 * Returns the dependencies of the operational endpoints for one request. The endpoints also work
 * when the settings are invalid: `settingsError` then says what is wrong.
 */
export function actuatorDeps(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  request: () => FaultOrigin & { readonly ip: string | undefined },
): ActuatorDeps {
  const fault = requestFaultReporter(request);
  const later = (work: Promise<unknown>) => ctx.waitUntil(work);
  const { MANAGEMENT_ENDPOINTS, ACTUATOR_TOKEN = "" }: Variables = env;
  const named = MANAGEMENT_ENDPOINTS?.split(",").map((name) => name.trim());
  const { name, version } = manifest;
  const { id, tag, timestamp } = env.VERSION;
  return {
    exposed: ENDPOINTS.filter((endpoint) => named === undefined || named.includes(endpoint)),
    token: ACTUATOR_TOKEN === "" ? undefined : ACTUATOR_TOKEN,
    settingsError: () => settingsErrorOf(env),
    databaseBytes: async () => {
      const session = openSession(env.DB, "first-primary", observeQuery);
      const { meta } = await session.prepare("SELECT 1").run();
      return meta.size_after;
    },
    totals: () => readMetricTotals(env),
    info: { name, version, deployment: { id, tag, timestamp } },
    admit: () => admitToOperations(env, { now, later, fault }, request().ip),
    cache: cacheOf(env),
    now,
    wait,
    later,
    fault,
  };
}

function settingsErrorOf(env: Env): string | undefined {
  try {
    settings(env);
    signOnSettings(env);
    return undefined;
  } catch (error) {
    // Returns the message of a settings error, which names the invalid variable, never its value.
    return error instanceof Error ? error.message : String(error);
  }
}
