import { useQuery } from "@tanstack/react-query";
import { allEnvironmentsQuery } from "../data/environments.ts";
import { projectsQuery } from "../data/projects.ts";
import type { TokenOwner } from "./token-requests.ts";

/** The names of what limits tokens. An item that no longer exists has its id as name. */
export interface TokenNames {
  readonly project: (id: number) => string;
  /** Returns the name of an environment, with its project if the owner sees several. */
  readonly environment: (id: number) => string;
}

/**
 * Returns the names for the tokens of an owner. Undefined while they load. `ofEnvironments`: whether
 * names of environments are needed. There can be many pages of them.
 */
export function useTokenNames(owner: TokenOwner, ofEnvironments: boolean): TokenNames | undefined {
  const projects = useQuery(projectsQuery);
  const environments = useQuery({ ...allEnvironmentsQuery, enabled: ofEnvironments });
  if (projects.isPending || (ofEnvironments && environments.isPending)) return undefined;
  const seesOne = projects.data?.length === 1 || typeof owner?.projectId === "number";
  const project = (id: number) => projects.data?.find((one) => one.id === id)?.name ?? `#${id}`;
  return {
    project,
    environment: (id) => {
      const found = environments.data?.find((one) => one.id === id);
      if (!found) return `#${id}`;
      return seesOne ? found.name : `${found.name} (${project(found.projectId)})`;
    },
  };
}
