import type { Deps } from "../access/deps.ts";
import { requestFaultReporter } from "./runtime/fault.ts";
import { reportMetricsSoon } from "./runtime/metrics-report.ts";

export type Background = Pick<ExecutionContext, "waitUntil">;

/**
 * Returns a function that lets work continue after the response (`waitUntil`). A fault of the work
 * is logged. After the work, the isolate schedules a report of its metrics.
 */
export const background =
  (env: Env, ctx: Background, request: () => Request) => (work: Promise<unknown>) => {
    const settled = work.catch((error: unknown) => requestFaultReporter(request)("later", error));
    ctx.waitUntil(settled.then(() => reportMetricsSoon(env, ctx)));
  };

export type Request = Deps["request"];
