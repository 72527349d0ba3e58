import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE } from "./code.ts";
import { buildSeconds, edgeLoad } from "./edge.ts";
import type { Scenario } from "./scenario.ts";

/** Seconds from a commit until an SDK has it. */
export interface Staleness {
  readonly median: number;
  readonly worst: number;
  /** The worst when the database cannot be asked for `AWAY_SECONDS`, right after the commit. */
  readonly away: number;
}

/** The length of the outage in the scenario: the time that KV may be cached. */
export const AWAY_SECONDS = CODE.cacheTtlSeconds;

export function stalenessOf(scenario: Scenario): Staleness {
  const { perIsolate, missing } = edgeLoad(scenario);
  const poll = scenario["poll-seconds"];
  const { lagSeconds, worstLagSeconds } = ASSUMPTIONS;
  // A lease is in the way only where requests come more often than it lasts.
  const leased = (perIsolate * CODE.leaseSeconds) / (1 + perIsolate * CODE.leaseSeconds);
  const median =
    lagSeconds.value +
    (leased * CODE.leaseSeconds) / 2 +
    missing * buildSeconds(scenario) +
    poll / 2;
  const worst = worstLagSeconds.value + CODE.maxLeaseSeconds + CODE.buildBoundSeconds + poll;
  return { median, worst, away: worst + AWAY_SECONDS };
}
