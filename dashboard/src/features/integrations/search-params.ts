import type { Delivery } from "../../shared/api/types.ts";
import { parseOneOf, parsePage } from "../../shared/parse-search-params.ts";

export const STATUSES = [
  "pending",
  "held",
  "succeeded",
  "dead",
] as const satisfies readonly Delivery["status"][];

/** The search parameters of the list of deliveries. */
export interface IntegrationSearch {
  status?: Delivery["status"] | undefined;
  /** The page number, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export function validateIntegrationSearch(raw: Record<string, unknown>): IntegrationSearch {
  const status = parseOneOf(STATUSES, raw["status"]);
  const page = parsePage(raw["page"]);
  return {
    ...(status !== undefined && { status }),
    ...(page !== undefined && { page }),
  };
}
