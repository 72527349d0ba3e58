import { Edge } from "../client/edge.ts";
import { clientMetrics } from "./metrics.ts";

/** The rules and keys in this isolate's memory. They are kept between requests. */
export const edge = new Edge(clientMetrics);
