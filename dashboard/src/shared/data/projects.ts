import { useQuery } from "@tanstack/react-query";
import { hasStatus } from "../api/api-error.ts";
import { read, readAll } from "../api/request.ts";

export const projectsQuery = readAll("/api/v1/projects");

/** All projects, each with its counts and its last change. */
export const countedProjectsQuery = readAll("/api/v1/projects", { query: { counts: true } });

/** Throws: ApiError 404 if the project does not exist. */
export const projectQuery = (id: number) => read("/api/v1/projects/{id}", { path: { id } });

/** The default of the setting `staleDays`, which is shown until the projects are loaded. */
const DEFAULT_STALE_DAYS = 40;

/** A hook that returns after how many days without a change a flag of the project is stale. */
export function useStaleDays(projectId: number): number {
  const { data } = useQuery(projectsQuery);
  return data?.find(({ id }) => id === projectId)?.staleDays ?? DEFAULT_STALE_DAYS;
}

/**
 * Whether a project exists for the user. Undefined while that is unknown. A project that is not in the list
 * may be new, so the API is asked for it.
 */
export function useProjectExists(id: number | undefined): boolean | undefined {
  const { data: projects } = useQuery({ ...projectsQuery, enabled: id !== undefined });
  const isListed = projects?.some((project) => project.id === id);
  const { error, isSuccess } = useQuery({
    ...projectQuery(id ?? 0),
    enabled: id !== undefined && isListed === false,
  });
  if (isListed === true || isSuccess) return true;
  return hasStatus(error, 400, 404) ? false : undefined;
}
