const keyOf = (projectId: number) => `feature-flags.flags-search.${projectId}`;

/** Stores the search text and the filters of a project's list of flags, for this browser tab. */
export const storeFlagsSearch = (projectId: number, search: object): void =>
  sessionStorage.setItem(keyOf(projectId), JSON.stringify(search));

/** Returns the search parameters with which the list of flags was last open in this tab. */
export function lastFlagsSearch(projectId: number): object {
  return JSON.parse(sessionStorage.getItem(keyOf(projectId)) ?? "{}") as object;
}
