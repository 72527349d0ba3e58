import { raceTimeout } from "../core/lib/timeout.ts";
import type { ActuatorDeps, Component, Health, Space, Status } from "./ports.ts";

/** The timeout of the database check, milliseconds. A database that takes longer counts as down. */
const DATABASE_TIMEOUT_MS = 2_000;

/**
 * The maximum size of a D1 database on the Workers Paid plan, in bytes
 * (developers.cloudflare.com/d1/platform/limits).
 */
const DATABASE_LIMIT_BYTES = 10_000_000_000;

/** The share of `DATABASE_LIMIT_BYTES` above which `diskSpace` is DOWN, because writes will fail soon. */
const FULL_SHARE = 0.95;

const up = (isUp: boolean): Status => (isUp ? "UP" : "DOWN");

const down = (error: string): Component => ({ status: "DOWN", details: { error } });

/**
 * Returns the health of the service: whether the settings are valid, whether the database responds,
 * and how large it is. The result is up to a second old. Never throws.
 */
export const healthOf = (deps: ActuatorDeps): Promise<Health> =>
  deps.cache.health.get(deps, () => readHealth(deps));

async function readHealth(deps: ActuatorDeps): Promise<Health> {
  const settingsError = deps.settingsError();
  const components = {
    ...(await database(deps)),
    ...(settingsError !== undefined && { configuration: down(settingsError) }),
  };
  return {
    status: up(Object.values(components).every(({ status }) => status === "UP")),
    components,
  };
}

async function database({
  databaseBytes,
  wait,
  fault,
}: ActuatorDeps): Promise<Pick<Health["components"], "db" | "diskSpace">> {
  try {
    const used = await raceTimeout(wait, DATABASE_TIMEOUT_MS, databaseBytes());
    return { db: { status: "UP" }, diskSpace: diskSpace(used) };
  } catch (error) {
    // Logs the cause of the fault and does not return it, because `GET /actuator/health` is public.
    fault("health", error);
    return {
      db: down("The database does not respond"),
      diskSpace: down("Unknown while the database does not respond"),
    };
  }
}

function diskSpace(used: number): Component<Space> {
  const total = DATABASE_LIMIT_BYTES;
  return {
    status: up(used <= total * FULL_SHARE),
    details: { total, used, free: Math.max(0, total - used) },
  };
}
