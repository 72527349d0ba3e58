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

/** The filters of the table, as they stand in the address. What is left out does not filter. */
export interface FlagsSearch {
  search?: string | undefined;
  type?: Flag["flagType"] | undefined;
  tag?: string | undefined;
  archived?: true | undefined;
  stale?: true | undefined;
  /** Of a segment, in whatever environment. */
  segment?: number | undefined;
  /** Only together with `state`. */
  environment?: number | undefined;
  state?: "on" | "off" | undefined;
  sort?: FlagSort | undefined;
  /** The first is 1, and is left out. */
  page?: number | undefined;
}

/** Says `undefined` of what is missing or invalid: the router merges the answer into what it was given. */
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
    // An archived flag never is.
    stale: (raw["stale"] === true && !isArchived) || undefined,
    segment: parsePositiveInteger(raw["segment"]),
    environment: state && environment,
    state,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    page: parsePage(raw["page"]),
  };
}

/** How many things narrow the list down, the words in the search box apart. */
export const countFilters = ({ type, tag, archived, stale, segment, state }: FlagsSearch): number =>
  [type, tag, archived ?? stale, segment, state].filter((value) => value !== undefined).length;

export const isFiltered = (search: FlagsSearch): boolean =>
  search.search !== undefined || countFilters(search) > 0;

/** The same question to the API, whose pages begin at 0. */
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
