import type { Listed } from "../../shared/change-requests/queries.ts";
import { parseOneOf, parsePage } from "../../shared/parse-search-params.ts";

export const TABS = ["review", "mine", "open", "all"] as const satisfies Listed[];

export type Tab = (typeof TABS)[number];

interface ChangeRequestsSearch {
  /** Undefined for the requests to review. */
  tab?: Exclude<Tab, "review"> | undefined;
  /** The number of the list's page, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export const validateChangeRequestsSearch = (
  raw: Record<string, unknown>,
): ChangeRequestsSearch => ({
  tab: parseOneOf(["mine", "open", "all"], raw["tab"]),
  page: parsePage(raw["page"]),
});
