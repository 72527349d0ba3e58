import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, HOUR_SECONDS } from "./code.ts";
import { D1_REPLICAS } from "./platform.ts";
import type { Scenario } from "./scenario.ts";

/** The load of SDKs on the edge, as the model computes it. Rates are per second. */
export interface EdgeLoad {
  readonly polls: number;
  readonly reports: number;
  readonly isolatesPerLocation: number;
  readonly isolates: number;
  /** Requests per second for one environment to one isolate. */
  readonly perIsolate: number;
  /**
   * How often per second isolates check an API key in the database. An isolate checks a key at most
   * once per `LEASE_MS`.
   */
  readonly keyChecks: number;
  /** Changes of rules per second in all environments. */
  readonly changes: number;
  /** How often per second isolates get newer rules, from KV or by building them. */
  readonly refreshes: number;
  readonly builds: number;
  /** The share of `refreshes` for which KV does not have the new rules yet. */
  readonly missing: number;
  /**
   * Writes per second to the KV key of one environment. The writer puts the new rules into KV. The
   * model ignores the repair of a lost publish by another isolate (rule-loader.ts).
   */
  readonly putsOfOneKey: number;
  /**
   * The work that one change puts on the busiest replica within the timeout of a key check,
   * seconds.
   */
  readonly burstSeconds: number;
  /** The utilisation of the busiest replica, from 0 to 1; above 1 it is overloaded. */
  readonly replicaBusy: number;
}

const { requestsPerIsolate, keyCheckMs, buildMsAFlag, replicaSkew, lagSeconds, publishSeconds } =
  ASSUMPTIONS;

/**
 * Returns the rate of counted arrivals, per second. After each counted arrival, no arrival is
 * counted for `seconds`. All arrivals are random (Poisson), `rate` per second.
 */
export const rateAfterPause = (rate: number, seconds: number): number =>
  rate / (1 + rate * seconds);

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
    isolates * environments * keys * rateAfterPause(perIsolate / keys, CODE.leaseSeconds);
  const changeRate = scenario["changes-per-hour"] / HOUR_SECONDS;
  const refreshing = changeRate === 0 ? 0 : (isolates * perIsolate) / (perIsolate + changeRate);
  const refreshes = refreshing * changeRate * environments;
  const missing = 1 - (1 - cachedBefore(changeRate)) * (1 - readTooEarly(perIsolate));
  const builds = refreshes * missing;

  const share = replicaSkew.value / D1_REPLICAS;
  // The seconds over which the isolates load a change: the length of a key lease, plus the mean
  // time between two requests to an isolate.
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
    burstSeconds: share * refreshing * missing * within * buildSeconds(scenario),
    replicaBusy: share * ((keyChecks * keyCheckMs.value) / 1000 + builds * buildSeconds(scenario)),
  };
}

/** The probability that KV's cache at a location still has the rules of the previous change. */
export const cachedBefore = (changeRate: number) =>
  1 - Math.exp(-CODE.cacheTtlSeconds * changeRate);

/** The probability that an isolate reads the new revision before KV's cache has the new rules. */
function readTooEarly(perIsolate: number): number {
  const ahead = (publishSeconds.value - lagSeconds.value) / CODE.leaseSeconds;
  const head = Math.min(1, Math.max(0, ahead));
  return head - (1 - Math.exp(-perIsolate * head)) / perIsolate;
}
