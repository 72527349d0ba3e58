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

/** The filters of the list. An undefined filter does not apply. */
export interface FlagsSearch {
  search?: string | undefined;
  type?: Flag["flagType"] | undefined;
  tag?: string | undefined;
  archived?: true | undefined;
  stale?: true | undefined;
  favourite?: true | undefined;
  /** The id of a segment. The page lists only flags that use this segment in any environment. */
  segment?: number | undefined;
  /** The id of the environment to which the filter `state` refers. Undefined without `state`. */
  environment?: number | undefined;
  state?: "on" | "off" | undefined;
  /** The id of a user. The page lists only flags of which this user is an owner. */
  owner?: number | undefined;
  sort?: FlagSort | undefined;
  /** The page number of the list of flags, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

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
    // Ignore the filter for stale flags if the page lists archived flags, because an archived flag
    // is never stale.
    stale: (raw["stale"] === true && !isArchived) || undefined,
    favourite: raw["favourite"] === true || undefined,
    segment: parsePositiveInteger(raw["segment"]),
    environment: state && environment,
    state,
    owner: parsePositiveInteger(raw["owner"]),
    sort: sort === DEFAULT_SORT ? undefined : sort,
    page: parsePage(raw["page"]),
  };
}

/** Returns the number of active filters. The search text does not count as a filter. */
export const countFilters = (search: FlagsSearch): number => {
  const { type, tag, archived, stale, favourite, segment, state, owner } = search;
  const filters = [type, tag, archived ?? stale, favourite, segment, state, owner];
  return filters.filter((value) => value !== undefined).length;
};

export const isFiltered = (search: FlagsSearch): boolean =>
  search.search !== undefined || countFilters(search) > 0;

/** Translates the URL search parameters for the API, whose first page is 0. */
export const toQuery = (search: FlagsSearch): Query => ({
  archived: search.archived ?? false,
  sort: search.sort ?? DEFAULT_SORT,
  page: (search.page ?? 1) - 1,
  size: PAGE_SIZE,
  ...(search.search !== undefined && { search: search.search }),
  ...(search.type !== undefined && { flagType: search.type }),
  ...(search.tag !== undefined && { tag: search.tag }),
  ...(search.stale !== undefined && { stale: search.stale }),
  ...(search.favourite && { favourite: "true" as const }),
  ...(search.segment !== undefined && { segmentId: search.segment }),
  ...(search.environment !== undefined && { environmentId: search.environment }),
  ...(search.state !== undefined && { state: search.state }),
  ...(search.owner !== undefined && { ownerId: search.owner }),
});
