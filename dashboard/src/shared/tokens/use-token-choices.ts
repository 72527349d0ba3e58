import { useQuery } from "@tanstack/react-query";
import type { Environment, Project } from "../api/types.ts";
import { allEnvironmentsQuery } from "../data/environments.ts";
import { projectsQuery } from "../data/projects.ts";
import type { TokenOwner } from "./token-requests.ts";
import { type TokenNames, useTokenNames } from "./use-token-names.ts";

/** The projects and environments that the owner of a token sees. */
export interface TokenChoices {
  readonly projects: readonly Project[];
  readonly environments: readonly Environment[];
  readonly names: TokenNames;
}

/** Loads the choices of an owner. Returns undefined until they are loaded. */
export function useTokenChoices(owner: TokenOwner): TokenChoices | undefined {
  const { data: projects } = useQuery(projectsQuery);
  const { data: environments } = useQuery(allEnvironmentsQuery);
  const names = useTokenNames(owner, true);
  if (!projects || !environments || !names) return undefined;
  const isSeen = (projectId: number) =>
    owner === undefined || owner.projectId === null || owner.projectId === projectId;
  return {
    projects: projects.filter(({ id }) => isSeen(id)),
    environments: environments.filter(({ projectId }) => isSeen(projectId)),
    names,
  };
}
