import { STREAM_ASSUMPTIONS } from "./assumptions.ts";
import { CODE } from "./code.ts";
import { ROWS } from "./rows.ts";

/** The cron job that repeats notifications runs at this interval. It reads the recent audit records. */
export const CRON_SECONDS = 60;

/** The load of the dashboards of the project, which hold an event stream. Rates are per second. */
export interface DashboardLoad {
  /** Dashboards in visible tabs. */
  readonly streams: number;
  readonly events: number;
  readonly heartbeats: number;
  readonly connects: number;
  /** Requests to the Worker: connects, and the queries of the page after each event. */
  readonly requests: number;
  /** Requests to the hub and the leaves of the project. */
  readonly objectRequests: number;
  readonly rowsRead: number;
}

const { dashboards, dashboardFetches } = STREAM_ASSUMPTIONS;

/**
 * Returns the load of the dashboards. `changes` is the changes of the project per second, and
 * `flags` the flags in the list that a dashboard shows.
 */
export function dashboardLoad(changes: number, flags: number): DashboardLoad {
  const streams = dashboards.value;
  const events = changes * streams;
  // A stream ends with its access token.
  const connects = streams / CODE.accessTokenSeconds;
  const recentlyChanged = 1 - Math.exp(-changes * CODE.recentSeconds);
  return {
    streams,
    events,
    heartbeats: streams / CODE.heartbeatSeconds,
    connects,
    requests: connects + events * dashboardFetches.value,
    objectRequests: connects + changes * (1 + CODE.leaves) + recentlyChanged / CRON_SECONDS,
    rowsRead: events * flags * ROWS.build.readAFlag + (changes * CODE.recentSeconds) / CRON_SECONDS,
  };
}
