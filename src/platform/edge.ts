import { Edge } from "../client/edge.ts";
import { clientMetrics } from "./metrics.ts";

/** This isolate's memory of rules and keys. It outlives the requests. */
export const edge = new Edge(clientMetrics);
