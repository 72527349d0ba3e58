import { describeError } from "../http/describe-error.ts";
import { log } from "../http/log.ts";
import { newTraceId } from "../http/trace.ts";
import { countFault } from "./metrics.ts";

/** A fault that the caller was spared, for the log. */
type Fault = (what: string, error: unknown, traceId?: string) => void;

/** What no request began gets a trace of its own, since every record has one. */
const reporter =
  (logger: string) =>
  (what: string, error: unknown, traceId = newTraceId(), heard: readonly string[] = []): void => {
    countFault(what);
    const { message, values } = describeError(error);
    log("WARN", logger, `${what}: ${message}`, { traceId }, [...values, ...heard]);
  };

const atTheEdge = reporter("app.edge");

export const fault: Fault = atTheEdge;

/** Of a queue or a timer. */
export const jobFault: Fault = reporter("app.jobs");

/** What a fault needs to know of its request: the trace, and what its caller wrote. */
export interface Told {
  readonly traceId: string;
  readonly reason: string | undefined;
  readonly userAgent: string | undefined;
}

/** Of a request, which the error may repeat. */
export const faultOf =
  (request: () => Told): ((what: string, error: unknown) => void) =>
  (what, error) => {
    const { traceId, reason = "", userAgent = "" } = request();
    atTheEdge(what, error, traceId, [reason, userAgent]);
  };
