import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, HOUR_SECONDS } from "./code.ts";
import { D1_REPLICAS } from "./platform.ts";
import type { Scenario } from "./scenario.ts";

/** What the SDKs ask of the edge; rates by the second. */
export interface EdgeLoad {
  readonly polls: number;
  readonly reports: number;
  readonly isolatesPerLocation: number;
  readonly isolates: number;
  /** Requests for one environment that one isolate gets. */
  readonly perIsolate: number;
  /** Questions for a key's row: at most one per key, isolate and lease. */
  readonly keyChecks: number;
  /** Changes of all environments. */
  readonly changes: number;
  /** Times that an isolate gets newer rules: from KV, or by a build of its own. */
  readonly refreshes: number;
  readonly builds: number;
  /** Share of the refreshes that KV cannot answer yet. */
  readonly missing: number;
  /** The one who changes puts the new rules; who builds them does not (rule-loader.ts). */
  readonly putsOfOneKey: number;
  /** Work that one change brings the busiest replica before a key check runs into its bound. */
  readonly burstSeconds: number;
  /** Share of its time that the busiest replica works. */
  readonly replicaBusy: number;
}

const { requestsPerIsolate, keyCheckMs, buildMsAFlag, replicaSkew, lagSeconds, publishSeconds } =
  ASSUMPTIONS;

/** Of what arrives at random, `rate` a second, how often one comes after a rest of `seconds`. */
export const afterRest = (rate: number, seconds: number): number => rate / (1 + rate * seconds);

export const buildSeconds = ({ flags }: Scenario): number => (flags * buildMsAFlag.value) / 1000;

export function edgeLoad(scenario: Scenario): EdgeLoad {
  const { instances, environments, keys } = scenario;
  const polls = instances / scenario["poll-seconds"];
  const reports = scenario["report-seconds"] > 0 ? instances / scenario["report-seconds"] : 0;
  const requests = polls + reports;
  const locations = Math.min(scenario.locations, instances);
  const needed = Math.ceil(requests / locations / requestsPerIsolate.value);
  const isolatesPerLocation = scenario["isolates-per-location"] || Math.max(1, needed);
  const isolates = locations * isolatesPerLocation;
  const perIsolate = requests / isolates / environments;

  const keyChecks =
    isolates * environments * keys * afterRest(perIsolate / keys, CODE.leaseSeconds);
  const changeRate = scenario["changes-per-hour"] / HOUR_SECONDS;
  const told = changeRate === 0 ? 0 : (isolates * perIsolate) / (perIsolate + changeRate);
  const refreshes = told * changeRate * environments;
  const missing = 1 - (1 - cachedBefore(changeRate)) * (1 - askedTooSoon(perIsolate));
  const builds = refreshes * missing;

  const share = replicaSkew.value / D1_REPLICAS;
  // After a change they come within a lease, or one by one as the isolates are asked.
  const spread = CODE.leaseSeconds + 1 / perIsolate;
  const within = Math.min(1, CODE.databaseBoundSeconds / spread);
  return {
    polls,
    reports,
    isolatesPerLocation,
    isolates,
    perIsolate,
    keyChecks,
    changes: changeRate * environments,
    refreshes,
    builds,
    missing,
    putsOfOneKey: changeRate,
    burstSeconds: share * told * missing * within * buildSeconds(scenario),
    replicaBusy: share * ((keyChecks * keyCheckMs.value) / 1000 + builds * buildSeconds(scenario)),
  };
}

/** KV's cache at a location still holds what the change before this one brought there. */
const cachedBefore = (changeRate: number) => 1 - Math.exp(-CODE.cacheTtlSeconds * changeRate);

/** An isolate hears of a change, with what is left of a lease and its next request, before KV does. */
function askedTooSoon(perIsolate: number): number {
  const ahead = (publishSeconds.value - lagSeconds.value) / CODE.leaseSeconds;
  const head = Math.min(1, Math.max(0, ahead));
  return head - (1 - Math.exp(-perIsolate * head)) / perIsolate;
}
