import { HOUR_MS } from "../lib/time.ts";

/** How long a usage object keeps the usage by SDK instance, milliseconds. */
export const KEEP_INSTANCE_HOURS_MS = 48 * HOUR_MS;
