import manifest from "../../package.json" with { type: "json" };
import { type ActuatorDeps, ENDPOINTS } from "../operations/actuator/ports.ts";
import { wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { requestFaultReporter, type FaultOrigin } from "./fault.ts";
import { observeQuery } from "./metrics.ts";
import { readMetricTotals } from "./metrics-report.ts";
import { settings } from "./settings.ts";

/**
 * The variables that this file reads, each of which may be missing. Wrangler's types lack optional
 * secrets, and say that every variable in wrangler.toml is set.
 */
type Variables = { readonly ACTUATOR_TOKEN?: string } & Partial<Env>;

/**
 * Returns the dependencies of the operational endpoints for one request. The endpoints also work
 * when the settings are invalid: `settingsError` then says what is wrong.
 */
export function actuatorDeps(env: Env, request: () => FaultOrigin): ActuatorDeps {
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
    wait,
    fault: requestFaultReporter(request),
  };
}

function settingsErrorOf(env: Env): string | undefined {
  try {
    settings(env);
    return undefined;
  } catch (error) {
    // The message of a settings error names the invalid variable, never its value.
    return error instanceof Error ? error.message : String(error);
  }
}
