import { logError } from "../../http/log.ts";
import { newTraceId } from "../../http/trace.ts";
import { countFault } from "./metrics.ts";

/**
 * A function that logs and counts a fault: an error inside the service that the caller may not
 * notice. `what` names the work that failed. `faultLabel` in core/metrics turns the beginning of
 * `what` into a metric label.
 */
type ReportFault = (what: string, error: unknown, traceId?: string) => void;

/**
 * Makes a function that counts faults and logs each as `WARN` with this logger name. If the caller
 * passes no trace id, the log record gets a new trace id.
 */
const reporter =
  (logger: string) =>
  (what: string, error: unknown, traceId = newTraceId(), secrets: readonly string[] = []): void => {
    countFault(what);
    logError("WARN", logger, { traceId, what, error, secrets });
  };

const reportAtEdge = reporter("app.edge");

export const reportFault: ReportFault = reportAtEdge;

/** Logs and counts a fault of a queue consumer or a cron job. */
export const reportJobFault: ReportFault = reporter("app.jobs");

/**
 * What the log record of a fault needs from the request: the trace id, and the caller's free texts.
 * The free texts are masked in the log record.
 */
export interface FaultOrigin {
  readonly traceId: string;
  readonly reason: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Returns a function that logs and counts faults of one request. The function masks the change
 * reason and the user agent, because the message of an error may repeat them.
 */
export const requestFaultReporter =
  (request: () => FaultOrigin): ((what: string, error: unknown) => void) =>
  (what, error) => {
    const { traceId, reason = "", userAgent = "" } = request();
    reportAtEdge(what, error, traceId, [reason, userAgent]);
  };
