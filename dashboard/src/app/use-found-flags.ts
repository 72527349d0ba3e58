import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../shared/api/client.ts";
import { dataOf } from "../shared/api/response.ts";
import type { EnrichedFlag } from "../shared/api/types.ts";
import { fuzzySearch } from "./fuzzy.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";

/** The command palette shows at most this many flags, and at most this many projects. */
export const MAX_SHOWN = 8;

/** How many flags are compared with a query that has a typing error. */
const CANDIDATES = 50;

/** A shorter query is not searched for typing errors, because too many flags are similar to it. */
const MIN_FUZZY = 4;

const textOf = ({ name, key }: EnrichedFlag): string => `${name} ${key}`;

/**
 * Finds flags of all projects by name or key; those of the current project are first. Until the
 * response arrives, returns the flags of the previous search that match the new query.
 */
export function useFoundFlags(query: string) {
  const projectId = useCurrentProjectId();
  const text = query.trim();
  const [search] = useDebouncedValue(text, 150);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["flags", projectId, "command-palette", search],
    queryFn: ({ signal }) => findFlags(search, projectId, signal),
    placeholderData: keepPreviousData,
    enabled: search !== "",
  });
  const isCurrent = search === text && !isPlaceholderData;
  const found = text === "" ? [] : (data ?? []);
  return {
    found: isCurrent ? found : fuzzySearch(found, text, textOf),
    isSearching: isFetching || search !== text,
  };
}

/**
 * Searches the current project and all projects. If no flag contains the text, searches for each half
 * of the text: a flag that differs in one letter contains one of them.
 */
async function findFlags(
  text: string,
  projectId: number | undefined,
  signal: AbortSignal,
): Promise<readonly EnrichedFlag[]> {
  const load = async (search: string, size: number, inProject?: number) => {
    const query = { search, size, ...(inProject !== undefined && { projectId: inProject }) };
    return (await dataOf(api.GET("/api/v1/flags/enriched", { params: { query }, signal }))).items;
  };
  const searches = [load(text, MAX_SHOWN)];
  if (projectId !== undefined) searches.unshift(load(text, MAX_SHOWN, projectId));
  const found = unique((await Promise.all(searches)).flat());
  if (found.length > 0 || text.length < MIN_FUZZY) return found.slice(0, MAX_SHOWN);

  const middle = Math.ceil(text.length / 2);
  const halves = [text.slice(0, middle), text.slice(middle)].map((half) => half.trim());
  const similar = await Promise.all(halves.map((half) => load(half, CANDIDATES)));
  return fuzzySearch(unique(similar.flat()), text, textOf).slice(0, MAX_SHOWN);
}

const unique = (flags: readonly EnrichedFlag[]): readonly EnrichedFlag[] => [
  ...new Map(flags.map((flag) => [flag.id, flag])).values(),
];
