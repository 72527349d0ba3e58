import { LEASE_MS } from "../../src/client/keys/leases.ts";
import { ASSUMPTIONS, CODE, REPLICAS } from "./assumptions.ts";
import type { Scenario } from "./scenario.ts";

const LEASE_SECONDS = LEASE_MS / 1000;
const HOUR_SECONDS = 3_600;

/** The load of SDKs on the edge, as the model computes it. Rates are per second. */
export interface EdgeLoad {
  readonly polls: number;
  readonly reports: number;
  readonly isolatesPerLocation: number;
  readonly isolates: number;
  /** How often isolates check an API key in the database: at most once per lease time. */
  readonly keyChecks: number;
  /** How often rules change, in all environments together. */
  readonly changes: number;
  /** How often isolates read newer rules from KV. */
  readonly kvReads: number;
  /** How often isolates build newer rules, because KV does not have them yet. */
  readonly builds: number;
  /** The utilisation of the busiest replica, from 0 to 1; above 1 it is overloaded. */
  readonly replicaBusy: number;
}

const { requestsPerIsolate, keyCheckMs, buildMsAFlag, replicaSkew, lagSeconds, publishSeconds } =
  ASSUMPTIONS;

/**
 * Returns the rate of counted arrivals, per second. Arrivals within `seconds` after a counted
 * arrival are not counted. All arrivals are random (Poisson), `rate` per second.
 */
export const rateAfterPause = (rate: number, seconds: number): number =>
  rate / (1 + rate * seconds);

export function edgeLoad(
  scenario: Scenario,
  { polls, reports }: Pick<EdgeLoad, "polls" | "reports">,
): EdgeLoad {
  const { instances, environments, flags } = scenario;
  const locations = Math.min(scenario.locations, instances);
  const needed = Math.ceil((polls + reports) / locations / requestsPerIsolate.value);
  const isolatesPerLocation = Math.max(1, needed);
  const isolates = locations * isolatesPerLocation;
  /** The requests per second for one environment to one isolate. */
  const perIsolate = (polls + reports) / isolates / environments;

  const keyChecks = isolates * environments * rateAfterPause(perIsolate, LEASE_SECONDS);
  const changeRate = scenario["changes-per-hour"] / HOUR_SECONDS;
  const refreshing = (isolates * perIsolate) / (perIsolate + changeRate);
  const kvReads = refreshing * changeRate * environments;
  const missing = 1 - (1 - cachedBefore(changeRate)) * (1 - readTooEarly(perIsolate));
  const builds = kvReads * missing;
  const busyMs = keyChecks * keyCheckMs.value + builds * flags * buildMsAFlag.value;
  return {
    polls,
    reports,
    isolatesPerLocation,
    isolates,
    keyChecks,
    changes: changeRate * environments,
    kvReads,
    builds,
    replicaBusy: ((replicaSkew.value / REPLICAS) * busyMs) / 1000,
  };
}

/** The probability that KV's cache at a location still has the rules of the previous change. */
export const cachedBefore = (changeRate: number): number =>
  1 - Math.exp(-CODE.cacheSeconds * changeRate);

/** The probability that an isolate reads the new revision before KV's cache has the new rules. */
function readTooEarly(perIsolate: number): number {
  const ahead = (publishSeconds.value - lagSeconds.value) / LEASE_SECONDS;
  const head = Math.min(1, Math.max(0, ahead));
  return head - (1 - Math.exp(-perIsolate * head)) / perIsolate;
}
