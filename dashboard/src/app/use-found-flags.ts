import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../shared/api/client.ts";
import { dataOf } from "../shared/api/response.ts";
import type { EnrichedFlag, Project } from "../shared/api/types.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { similarFlags, uniqueFlags } from "../shared/flags/similar-flags.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";
import { searchWords, wordsOf } from "./palette-search.ts";

/** The command palette shows at most this many flags, and at most this many projects. */
export const MAX_SHOWN = 8;

/** How long the palette waits for the next key before it asks the service, milliseconds. */
export const DEBOUNCE_MS = 200;

/**
 * Finds flags of all projects; those of the current project are first. The words of the query are parts
 * of the name or key of a flag, of its project and of its environments. Until the response arrives,
 * returns the flags of the previous search that match the new query.
 */
export function useFoundFlags(query: string) {
  const projectId = useCurrentProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  const text = query.trim();
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["flags", projectId, "command-palette", search],
    queryFn: ({ signal }) => findFlags(search, projectId, wordsOfFlag(projects), signal),
    placeholderData: keepPreviousData,
    enabled: search !== "",
  });
  const isCurrent = search === text && !isPlaceholderData;
  const found = text === "" ? [] : (data ?? []);
  return {
    found: isCurrent ? found : searchWords(found, text, wordsOfFlag(projects)),
    isSearching: isFetching || search !== text,
  };
}

/** Returns the function that names everything by which a flag is found. */
const wordsOfFlag =
  (projects: readonly Project[]) =>
  ({ name, key, projectId, environments }: EnrichedFlag): string =>
    [
      name,
      key,
      projects.find(({ id }) => id === projectId)?.name,
      ...environments.map((environment) => environment.name),
    ].join(" ");

/** At most this many words of a query are searched one by one, and this many flags for each. */
const MAX_WORDS = 3;
const CANDIDATES = 25;

/**
 * Searches the current project and all projects for the text. If no flag contains the text, searches
 * for its longest words one by one, and then for flags that are similar to the longest.
 */
async function findFlags(
  text: string,
  projectId: number | undefined,
  textOf: (flag: EnrichedFlag) => string,
  signal: AbortSignal,
): Promise<readonly EnrichedFlag[]> {
  const load = async (search: string, size: number, inProject?: number) => {
    const query = { search, size, ...(inProject !== undefined && { projectId: inProject }) };
    return (await dataOf(api.GET("/api/v1/flags/enriched", { params: { query }, signal }))).items;
  };
  const searches = [load(text, MAX_SHOWN)];
  if (projectId !== undefined) searches.unshift(load(text, MAX_SHOWN, projectId));
  const exact = uniqueFlags((await Promise.all(searches)).flat());
  if (exact.length > 0) return exact.slice(0, MAX_SHOWN);

  const words = wordsOf(text).toSorted((a, b) => b.length - a.length);
  const byWord =
    words.length < 2
      ? []
      : await Promise.all(words.slice(0, MAX_WORDS).map((word) => load(word, CANDIDATES)));
  const found = searchWords(uniqueFlags(byWord.flat()), text, textOf);
  if (found.length > 0) return found.slice(0, MAX_SHOWN);
  return searchWords(await similarFlags(words[0] ?? "", load), text, textOf).slice(0, MAX_SHOWN);
}
