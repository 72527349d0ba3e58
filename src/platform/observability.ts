import { isSensitive } from "../core/logging/secret-names.ts";
import { configureLogs, logError } from "../http/log.ts";
import { configureTraces, newTraceId } from "../http/trace.ts";
import { settings } from "./runtime/settings.ts";

let configuredEnv: Env | undefined;

/** Wraps a handler of the Worker, so that logs and traces are configured before the handler runs. */
export function withObservability<Event, Context, Result>(
  handle: (event: Event, env: Env, ctx: Context) => Result,
): (event: Event, env: Env, ctx: Context) => Result {
  return (event, env, ctx) => {
    observe(env);
    return handle(event, env, ctx);
  };
}

/**
 * Configures logs and traces, unless this was done already. Every entrypoint of the Worker calls this first.
 */
export function observe(env: Env): void {
  if (env !== configuredEnv) configure(env);
}

/**
 * The values of all secrets that this isolate was ever configured with. Earlier secrets stay in the
 * set, because work after a response may still log one.
 */
const knownSecrets = new Set<string>();

/** Configures logs and traces from the variables of the Worker. Runs once per environment object. */
function configure(env: Env): void {
  configuredEnv = env;
  for (const secret of secretsOf(env)) knownSecrets.add(secret);
  const secrets = [...knownSecrets];
  try {
    const { logs, samplingProbability } = settings(env);
    configureLogs({ ...logs, secrets });
    configureTraces(samplingProbability);
  } catch (error) {
    // Continues with default log levels, because the settings are invalid. Requests to the
    // management API and the client API get a 503 with this error message, and the message is
    // logged once per environment object.
    configureLogs({ app: "INFO", root: "INFO", secrets });
    configureTraces(1);
    logError("ERROR", "app.settings", { traceId: newTraceId(), error });
  }
}

/**
 * Returns the values of all secrets, which are recognized by the names of their variables. A name
 * that ends with `_PREVIOUS` belongs to a secret that is being rotated out.
 */
function secretsOf(env: Env): readonly string[] {
  return Object.entries(env).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && isSensitive(name.replace(/_PREVIOUS$/, "")) ? value : [],
  );
}
