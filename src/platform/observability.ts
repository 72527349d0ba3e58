import { isSensitive } from "../core/logging/secret-names.ts";
import { configureLogs, logError } from "../http/log.ts";
import { configureTraces, newTraceId } from "../http/trace.ts";
import { settings } from "./settings.ts";

let observedEnv: Env | undefined;

/** A handler of the Worker with logs and traces set up before anything can go wrong in it. */
export const withObservability =
  <Event, Context, Answer>(handle: (event: Event, env: Env, ctx: Context) => Answer) =>
  (event: Event, env: Env, ctx: Context): Answer => {
    if (env !== observedEnv) observe(env);
    return handle(event, env, ctx);
  };

/** Once per environment object, which is once per isolate. */
function observe(env: Env): void {
  observedEnv = env;
  const secrets = secretsOf(env);
  try {
    const { logs, samplingProbability } = settings(env);
    configureLogs({ ...logs, secrets });
    configureTraces(samplingProbability);
  } catch (error) {
    // Every request will be refused with this; once is enough for the log.
    configureLogs({ app: "INFO", root: "INFO", secrets });
    configureTraces(1);
    logError("ERROR", "app.settings", { traceId: newTraceId(), error });
  }
}

/** The values of every variable with a name such as a secret has, and those that they replace. */
function secretsOf(env: Env): readonly string[] {
  return Object.entries(env).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && isSensitive(name.replace(/_PREVIOUS$/, "")) ? value : [],
  );
}
