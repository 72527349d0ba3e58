import type { Flag } from "../../shared/api/types.ts";
import type { paths } from "../../shared/api/schema.d.ts";
import {
  parseOneOf,
  parsePage,
  parsePositiveInteger,
  parseText,
} from "../../shared/parse-search-params.ts";

type Query = NonNullable<paths["/api/v1/flags/enriched"]["get"]["parameters"]["query"]>;

const SORTS = [
  "name",
  "-name",
  "createdAt",
  "-createdAt",
  "updatedAt",
  "-updatedAt",
  "lastUsedAt",
  "-lastUsedAt",
] as const satisfies readonly NonNullable<Query["sort"]>[];

export type FlagSort = (typeof SORTS)[number];
export const DEFAULT_SORT: FlagSort = "name";

const PAGE_SIZE = 50;

/** The filters of the table, as URL parameters. A filter that is undefined does not apply. */
export interface FlagsSearch {
  search?: string | undefined;
  type?: Flag["flagType"] | undefined;
  tag?: string | undefined;
  archived?: true | undefined;
  stale?: true | undefined;
  /** The id of a segment that the flag uses in any environment. */
  segment?: number | undefined;
  /** The environment of `state`; undefined without `state`. */
  environment?: number | undefined;
  state?: "on" | "off" | undefined;
  sort?: FlagSort | undefined;
  /** The first page is 1. Undefined stands for the first page. */
  page?: number | undefined;
}

/**
 * Returns `undefined` for every parameter that is missing or invalid. The router merges the result
 * into the raw parameters, so a key that is left out would keep its invalid value.
 */
export function validateFlagsSearch(raw: Record<string, unknown>): FlagsSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  const isArchived = raw["archived"] === true;
  const state = environment === undefined ? undefined : parseOneOf(["on", "off"], raw["state"]);
  const sort = parseOneOf(SORTS, raw["sort"]);
  return {
    search: parseText(raw["search"]),
    type: parseOneOf(["RELEASE", "KILLSWITCH"], raw["type"]),
    tag: parseText(raw["tag"]),
    archived: isArchived || undefined,
    // An archived flag is never stale.
    stale: (raw["stale"] === true && !isArchived) || undefined,
    segment: parsePositiveInteger(raw["segment"]),
    environment: state && environment,
    state,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    page: parsePage(raw["page"]),
  };
}

/** The number of active filters, without the search box. */
export const countFilters = ({ type, tag, archived, stale, segment, state }: FlagsSearch): number =>
  [type, tag, archived ?? stale, segment, state].filter((value) => value !== undefined).length;

export const isFiltered = (search: FlagsSearch): boolean =>
  search.search !== undefined || countFilters(search) > 0;

/** The API's query parameters. The pages of the API begin at 0. */
export const toQuery = (search: FlagsSearch): Query => ({
  archived: search.archived ?? false,
  sort: search.sort ?? DEFAULT_SORT,
  page: (search.page ?? 1) - 1,
  size: PAGE_SIZE,
  ...(search.search !== undefined && { search: search.search }),
  ...(search.type !== undefined && { flagType: search.type }),
  ...(search.tag !== undefined && { tag: search.tag }),
  ...(search.stale !== undefined && { stale: search.stale }),
  ...(search.segment !== undefined && { segmentId: search.segment }),
  ...(search.environment !== undefined && { environmentId: search.environment }),
  ...(search.state !== undefined && { state: search.state }),
});
