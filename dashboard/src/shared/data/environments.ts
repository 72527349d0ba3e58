import { useQuery } from "@tanstack/react-query";
import { read, readAll } from "../api/request.ts";
import type { Environment } from "../api/types.ts";

/** Oldest first, which usually is the order in which releases reach the environments. */
export const environmentsQuery = (projectId: number) =>
  readAll("/api/v1/environments", { query: { projectId } });

/** The environments of all projects. */
export const allEnvironmentsQuery = readAll("/api/v1/environments");

/**
 * Returns the environment that a page shows first: the first production environment, or the last
 * environment if there is no production. Undefined without environments.
 */
export const defaultEnvironment = (environments: readonly Environment[]): Environment | undefined =>
  environments.find(({ production }) => production) ?? environments.at(-1);

/**
 * Returns the environment in which work on a new flag begins: the first that is not production, or
 * the first one if all are production. Undefined without environments.
 */
export const firstEnvironment = (environments: readonly Environment[]): Environment | undefined =>
  environments.find(({ production }) => !production) ?? environments[0];

/**
 * A hook that returns a function, which says whether an environment of the project is production.
 * While the environments are loading, every environment counts as production, so that no change
 * misses its confirmation.
 */
export function useIsProduction(projectId: number): (environmentId: number) => boolean {
  const { data } = useQuery(environmentsQuery(projectId));
  const others = new Set(data?.filter(({ production }) => !production).map(({ id }) => id));
  return (environmentId) => !others.has(environmentId);
}

/** How many SDK instances of an environment have the newest rules. */
export const propagationQuery = (environmentId: number) =>
  read("/api/v1/environments/{id}/propagation", { path: { id: environmentId } });
