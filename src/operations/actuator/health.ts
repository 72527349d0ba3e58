import { raceTimeout } from "../../core/lib/timeout.ts";
import type { ActuatorDeps } from "./ports.ts";

/** A database that takes longer is of no use to anybody. */
const DATABASE_TIMEOUT_MS = 2_000;

/** The most that D1 holds on the Workers Paid plan: developers.cloudflare.com/d1/platform/limits */
const DATABASE_LIMIT_BYTES = 10_000_000_000;

/** Beyond that share of it the service is about to stop: time to act. */
const FULL = 0.95;

type Status = "UP" | "DOWN";

interface Component<Details = { readonly error: string }> {
  readonly status: Status;
  readonly details?: Details;
}

interface Space {
  readonly total: number;
  readonly used: number;
  readonly free: number;
}

/** The contract's health. `configuration` is there when there is something to say of it. */
export interface Health {
  readonly status: Status;
  readonly components: {
    readonly db: Component;
    readonly diskSpace: Component | Component<Space>;
    readonly configuration?: Component;
  };
}

const up = (isUp: boolean): Status => (isUp ? "UP" : "DOWN");

const down = (error: string): Component => ({ status: "DOWN", details: { error } });

/** Asks the database, and how large it is. */
export async function healthOf(deps: ActuatorDeps): Promise<Health> {
  const wrong = deps.settingsError();
  const components = {
    ...(await database(deps)),
    ...(wrong !== undefined && { configuration: down(wrong) }),
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
    // Anybody may ask: what exactly is wrong is for the log.
    fault("health", error);
    return {
      db: down("The database does not answer"),
      diskSpace: down("Not known while the database does not answer"),
    };
  }
}

function diskSpace(used: number): Component<Space> {
  const total = DATABASE_LIMIT_BYTES;
  return {
    status: up(used <= total * FULL),
    details: { total, used, free: Math.max(0, total - used) },
  };
}
