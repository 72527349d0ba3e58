import { toQuery } from "../features/flag-list/search-params.ts";
import { FIRST_PAGE } from "../shared/api/response.ts";
import { lastProjectId } from "../shared/data/last-project.ts";

/**
 * Returns the paths of the requests that the list of flags makes first, if that list opens at
 * `location`. Empty for another page, and for a list with a search or filters.
 */
export function earlyPaths({ pathname, search }: Location): readonly string[] {
  const listed = /^\/projects\/(\d+)\/flags\/?$/.exec(pathname)?.[1];
  const projectId = pathname === "/" ? lastProjectId() : listed;
  if (projectId === undefined || search !== "") return [];
  const path = (endpoint: string, query: object) => {
    const parameters = Object.entries({ ...query, projectId });
    return `/api/v1/${endpoint}?${parameters.map((parameter) => parameter.join("=")).join("&")}`;
  };
  return [
    path("flags/enriched", toQuery({})),
    path("environments", FIRST_PAGE),
    path("auth/me/preferences", {}),
  ];
}
