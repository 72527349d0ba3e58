import { logError } from "../http/log.ts";
import { newTraceId } from "../http/trace.ts";
import { countFault } from "./metrics.ts";

/**
 * Logs and counts a fault: something went wrong inside the service, and the caller may not notice
 * it. `what` is a constant text that names the work that failed; `faultLabel` in core/metrics turns
 * it into a metric label.
 */
type ReportFault = (what: string, error: unknown, traceId?: string) => void;

/** A fault outside of a request gets a trace id of its own, because every log record has one. */
const reporter =
  (logger: string) =>
  (what: string, error: unknown, traceId = newTraceId(), secrets: readonly string[] = []): void => {
    countFault(what);
    logError("WARN", logger, { traceId, what, error, secrets });
  };

const reportAtEdge = reporter("app.edge");

export const reportFault: ReportFault = reportAtEdge;

/** Reports a fault of a queue consumer or a cron job. */
export const reportJobFault: ReportFault = reporter("app.jobs");

/** What a fault report needs from the request: the trace, and the caller's free text. */
export interface FaultOrigin {
  readonly traceId: string;
  readonly reason: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Returns a function that reports faults of one request. It masks the caller's free text, because
 * an error may repeat it.
 */
export const requestFaultReporter =
  (request: () => FaultOrigin): ((what: string, error: unknown) => void) =>
  (what, error) => {
    const { traceId, reason = "", userAgent = "" } = request();
    reportAtEdge(what, error, traceId, [reason, userAgent]);
  };
