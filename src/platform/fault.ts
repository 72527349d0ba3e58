import { logError } from "../http/log.ts";
import { newTraceId } from "../http/trace.ts";
import { countFault } from "./metrics.ts";

/**
 * Logs and counts a fault: something went wrong inside the service, and the caller may be spared it.
 * `what` is a constant of the service; `faultLabel` in core/metrics turns it into a label.
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

/** For faults of queue consumers and cron jobs. */
export const reportJobFault: ReportFault = reporter("app.jobs");

/** The part of a request that its fault reports need: the trace, and free text of the caller. */
export interface FaultOrigin {
  readonly traceId: string;
  readonly reason: string | undefined;
  readonly userAgent: string | undefined;
}

/** Reports faults of one request. Its free text is masked, as the error may repeat it. */
export const requestFaultReporter =
  (request: () => FaultOrigin): ((what: string, error: unknown) => void) =>
  (what, error) => {
    const { traceId, reason = "", userAgent = "" } = request();
    reportAtEdge(what, error, traceId, [reason, userAgent]);
  };
