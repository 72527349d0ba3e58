import type { Delivery } from "../../shared/api/types.ts";
import { parseOneOf, parsePage } from "../../shared/parse-search-params.ts";

export const STATUSES = [
  "pending",
  "held",
  "succeeded",
  "dead",
] as const satisfies readonly Delivery["status"][];

/** Which deliveries are shown, as it stands in the address. */
export interface IntegrationSearch {
  status?: Delivery["status"] | undefined;
  /** The first is 1, and is left out. */
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
