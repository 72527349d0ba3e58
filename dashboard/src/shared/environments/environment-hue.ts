import { useQuery } from "@tanstack/react-query";
import type { Environment } from "../api/types.ts";
import { environmentsQuery } from "../data/environments.ts";
import { useProjectId } from "../data/use-project-id.ts";

/** The colours of the environments that are not production, in the order in which they are used. */
const HUES = ["blue", "violet", "teal", "pink", "cyan", "lime"] as const;

export type EnvironmentHue = "production" | "unknown" | (typeof HUES)[number];

/**
 * Returns a function that gives each environment of a project its colour. Every production
 * environment has the colour that no other environment has. The others take the colours in the
 * order of their creation. After six environments the colours repeat, so a text must always name
 * the environment, too.
 */
function environmentHues(
  environments: readonly Pick<Environment, "id" | "production">[],
): (id: number) => EnvironmentHue {
  const others = environments.filter(({ production }) => !production).map(({ id }) => id);
  const known = new Set(environments.map(({ id }) => id));
  return (id) => {
    if (!known.has(id)) return "unknown";
    const index = others.indexOf(id);
    return index === -1 ? "production" : (HUES[index % HUES.length] ?? "unknown");
  };
}

/** A hook for `environmentHues` of a project. Without a project, all colours are unknown. */
export function useEnvironmentHuesOf(
  projectId: number | undefined,
): (id: number) => EnvironmentHue {
  const { data = [] } = useQuery({
    ...environmentsQuery(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  return environmentHues(data);
}

/** A hook for `environmentHues` of the project in the URL. */
export const useEnvironmentHues = () => useEnvironmentHuesOf(useProjectId());
