import type { Flag } from "../../shared/api/types.ts";
import type { paths } from "../../shared/api/schema.d.ts";
import {
  parseOneOf,
  parsePage,
  parsePositiveInteger,
  parseText,
} from "../../shared/parse-search-params.ts";
import { type Several, several, valuesOf } from "./several.ts";

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
  /** Flags with one of these tags. */
  tag?: Several<string> | undefined;
  /** Flags with none of these tags. */
  notTag?: Several<string> | undefined;
  /** The clients that get the flag. */
  clients?: Flag["clients"] | undefined;
  archived?: true | undefined;
  stale?: boolean | undefined;
  favourite?: true | undefined;
  /** The ids of segments. The page lists only flags that use one of them in any environment. */
  segment?: Several<number> | undefined;
  notSegment?: Several<number> | undefined;
  /** The ids of environments. The page lists only flags that are on in each of them. */
  on?: Several<number> | undefined;
  off?: Several<number> | undefined;
  /** The ids of users. The page lists only flags of which one of them is an owner. */
  owner?: Several<number> | undefined;
  notOwner?: Several<number> | undefined;
  sort?: FlagSort | undefined;
  /** The page number of the list of flags, starting at 1. Undefined for page 1. */
  page?: number | undefined;
  /** The parameters of older links and saved filters, which become `on` and `off`. */
  environment?: undefined;
  state?: undefined;
}

export function validateFlagsSearch(raw: Record<string, unknown>): FlagsSearch {
  const isArchived = raw["archived"] === true;
  const sort = parseOneOf(SORTS, raw["sort"]);
  const texts = (name: string) => several(valuesOf<unknown>(raw[name]).map(parseText));
  const ids = (name: string) => several(valuesOf<unknown>(raw[name]).map(parsePositiveInteger));
  const inState = (state: "on" | "off") => {
    const older = raw["state"] === state ? parsePositiveInteger(raw["environment"]) : undefined;
    return several([...valuesOf(ids(state)), older]);
  };
  return {
    search: parseText(raw["search"]),
    type: parseOneOf(["RELEASE", "KILLSWITCH"], raw["type"]),
    tag: texts("tag"),
    notTag: texts("notTag"),
    clients: parseOneOf(["all", "server"], raw["clients"]),
    archived: isArchived || undefined,
    // Ignore the filter for stale flags if the page lists archived flags, because an archived flag
    // is never stale.
    stale: typeof raw["stale"] === "boolean" && !isArchived ? raw["stale"] : undefined,
    favourite: raw["favourite"] === true || undefined,
    segment: ids("segment"),
    notSegment: ids("notSegment"),
    on: inState("on"),
    off: inState("off"),
    owner: ids("owner"),
    notOwner: ids("notOwner"),
    sort: sort === DEFAULT_SORT ? undefined : sort,
    page: parsePage(raw["page"]),
    environment: undefined,
    state: undefined,
  };
}

/** Returns the number of active filters. The search text does not count as a filter. */
export const countFilters = (search: FlagsSearch): number => {
  const filters = { ...search, search: undefined, sort: undefined, page: undefined };
  return Object.values(filters).filter((value) => value !== undefined).length;
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
  ...(search.clients !== undefined && { clients: search.clients }),
  ...(search.stale !== undefined && { stale: search.stale }),
  ...(search.favourite && { favourite: "true" as const }),
  ...(search.tag !== undefined && { tag: [...valuesOf(search.tag)] }),
  ...(search.notTag !== undefined && { notTag: [...valuesOf(search.notTag)] }),
  ...(search.segment !== undefined && { segmentId: [...valuesOf(search.segment)] }),
  ...(search.notSegment !== undefined && { notSegmentId: [...valuesOf(search.notSegment)] }),
  ...(search.on !== undefined && { onIn: [...valuesOf(search.on)] }),
  ...(search.off !== undefined && { offIn: [...valuesOf(search.off)] }),
  ...(search.owner !== undefined && { ownerId: [...valuesOf(search.owner)] }),
  ...(search.notOwner !== undefined && { notOwnerId: [...valuesOf(search.notOwner)] }),
});
