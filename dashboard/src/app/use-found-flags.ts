import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../shared/api/client.ts";
import { dataOf } from "../shared/api/response.ts";
import type { EnrichedFlag } from "../shared/api/types.ts";
import { nameAndKey, similarFlags, uniqueFlags } from "../shared/flags/similar-flags.ts";
import { fuzzySearch } from "../shared/fuzzy.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";

/** The command palette shows at most this many flags, and at most this many projects. */
export const MAX_SHOWN = 8;

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
    found: isCurrent ? found : fuzzySearch(found, text, nameAndKey),
    isSearching: isFetching || search !== text,
  };
}

/**
 * Searches the current project and all projects. If no flag contains the text, returns similar flags.
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
  const found = uniqueFlags((await Promise.all(searches)).flat());
  return (found.length > 0 ? found : await similarFlags(text, load)).slice(0, MAX_SHOWN);
}
