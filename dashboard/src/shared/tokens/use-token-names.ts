import { useQuery } from "@tanstack/react-query";
import { allEnvironmentsQuery } from "../data/environments.ts";
import { projectsQuery } from "../data/projects.ts";

/** The names of what limits tokens. An item that no longer exists has its id as name. */
export interface TokenNames {
  readonly project: (id: number) => string;
  /** Returns the name of an environment, with its project if there are several projects. */
  readonly environment: (id: number) => string;
}

/** Returns the names for tokens. Undefined while they load. */
export function useTokenNames(): TokenNames | undefined {
  const projects = useQuery(projectsQuery);
  const environments = useQuery(allEnvironmentsQuery);
  if (projects.isPending || environments.isPending) return undefined;
  const project = (id: number) => projects.data?.find((one) => one.id === id)?.name ?? `#${id}`;
  return {
    project,
    environment: (id) => {
      const found = environments.data?.find((one) => one.id === id);
      if (!found) return `#${id}`;
      return projects.data?.length === 1
        ? found.name
        : `${found.name} (${project(found.projectId)})`;
    },
  };
}
