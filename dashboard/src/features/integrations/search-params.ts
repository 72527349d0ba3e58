import type { Delivery } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";
import { type ListSearch, validateListSearch } from "../../shared/list/list-search-params.ts";
import { parseOneOf, parsePage, parseText } from "../../shared/parse-search-params.ts";

export const STATUSES = every<Delivery["status"]>()(["pending", "held", "succeeded", "dead"]);

/** The parameters of the list of webhook deliveries. */
export interface IntegrationSearch {
  status?: Delivery["status"] | undefined;
  /** The page number of the list of webhook deliveries, starting at 1. Undefined for page 1. */
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

interface IntegrationsSearch extends ListSearch {
  /** Lists only integrations in this state. */
  state?: string | undefined;
  /** Lists only integrations of this type. */
  type?: string | undefined;
}

export const validateIntegrationsSearch = (raw: Record<string, unknown>): IntegrationsSearch => ({
  ...validateListSearch(raw),
  state: parseText(raw["state"]),
  type: parseText(raw["type"]),
});
