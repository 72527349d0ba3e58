import { Edge } from "../client/edge/edge.ts";
import { clientMetrics } from "./runtime/metrics.ts";

/**
 * What this isolate keeps in memory for the client API between requests: API key leases, rules,
 * last-seen marks and rate limits.
 */
export const edge = new Edge(clientMetrics);
