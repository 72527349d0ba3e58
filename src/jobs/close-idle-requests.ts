import { newTraceId } from "../http/trace.ts";
import { closeIdleRequests } from "../workflows/change-requests/lifecycle.ts";
import type { JobDeps } from "./deps.ts";

/** The hourly job that closes change requests which nobody has changed for 30 days. */
export const closeIdle = (deps: JobDeps): Promise<void> =>
  closeIdleRequests(deps.systemCall(newTraceId()));
