import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE } from "./code.ts";
import { buildSeconds, edgeLoad } from "./edge.ts";
import type { Scenario } from "./scenario.ts";

/** The seconds from a commit until an SDK has the change, as the model computes them. */
export interface Staleness {
  readonly median: number;
  readonly worst: number;
  /**
   * The worst case when the database is unavailable for `OUTAGE_SECONDS` right after the commit.
   */
  readonly outage: number;
}

/** The length of the database outage in the scenario, seconds: as long as KV's cache time. */
export const OUTAGE_SECONDS = CODE.cacheTtlSeconds;

export function stalenessOf(scenario: Scenario): Staleness {
  const { perIsolate, missing } = edgeLoad(scenario);
  const poll = scenario["poll-seconds"];
  const { lagSeconds, worstLagSeconds } = ASSUMPTIONS;
  // The share of requests that use a key lease in memory. Such a request may not see a new change
  // yet. Every other request checks the key in the database.
  const leased = (perIsolate * CODE.leaseSeconds) / (1 + perIsolate * CODE.leaseSeconds);
  const median =
    lagSeconds.value +
    (leased * CODE.leaseSeconds) / 2 +
    missing * buildSeconds(scenario) +
    poll / 2;
  const worst = worstLagSeconds.value + CODE.maxLeaseSeconds + CODE.buildBoundSeconds + poll;
  return { median, worst, outage: worst + OUTAGE_SECONDS };
}
