import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { defaultEnvironment, environmentsQuery } from "../../shared/data/environments.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

export interface OpenEnvironment {
  readonly environment: Environment;
  readonly strategy: Strategy;
}

/** The environment in the URL, else the default one, with the flag's strategy there. */
export function useOpenEnvironment(flag: Flag): OpenEnvironment | undefined {
  const { environment: chosen } = route.useSearch();
  const { data: environments = [] } = useQuery(environmentsQuery(flag.projectId));
  const { data: strategies = [] } = useQuery(strategiesQuery(flag.id));
  const environment =
    environments.find(({ id }) => id === chosen) ?? defaultEnvironment(environments);
  const strategy = strategies.find(({ environmentId }) => environmentId === environment?.id);
  return environment && strategy && { environment, strategy };
}

/** Whether the page compares two environments, so that it is not clear in which one a switch acts. */
export function useIsComparing(flag: Flag): boolean {
  const { view, tab } = route.useSearch();
  const { data: strategies = [] } = useQuery(strategiesQuery(flag.id));
  return view === "compare" && tab === undefined && strategies.length > 1;
}
