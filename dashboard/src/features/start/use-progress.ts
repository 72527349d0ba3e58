import { useQuery } from "@tanstack/react-query";
import { read } from "../../shared/api/request.ts";
import type { ApiKey, Environment, Flag } from "../../shared/api/types.ts";
import { apiKeysQuery } from "../../shared/data/project-lists.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { flagsOnQuery } from "../../shared/data/flag.ts";

/** How often the page checks whether an API key was used, milliseconds. The user waits for it. */
const POLL_MS = 2_000;

export interface Progress {
  readonly environments: readonly Environment[];
  /** The oldest flag of the project that is not archived. Undefined if there is none. */
  readonly flag: Flag | undefined;
  /** Whether at least one flag of the project is on in its first environment. */
  readonly isOn: boolean;
  readonly keys: readonly ApiKey[];
  /** Whether the service has recorded a use of any of the project's API keys. */
  readonly isCalled: boolean;
}

const isUsed = (keys: readonly ApiKey[]): boolean =>
  keys.some(({ lastUsedAt }) => lastUsedAt !== null);

export function useProgress(projectId: number) {
  const environments = useQuery(environmentsQuery(projectId));
  const flags = useQuery(read("/api/v1/flags", { query: { projectId, size: 1 } }));
  const firstId = environments.data?.[0]?.id;
  const on = useQuery({
    ...flagsOnQuery(projectId, firstId ?? 0),
    enabled: firstId !== undefined,
  });
  const keys = useQuery({
    ...apiKeysQuery(projectId),
    refetchInterval: ({ state: { data = [] } }) =>
      data.length > 0 && !isUsed(data) ? POLL_MS : false,
  });

  const isOnKnown = firstId === undefined || on.data !== undefined;
  const progress: Progress | undefined =
    environments.data && flags.data && keys.data && isOnKnown
      ? {
          environments: environments.data,
          flag: flags.data.items[0],
          isOn: (on.data ?? 0) > 0,
          keys: keys.data,
          isCalled: isUsed(keys.data),
        }
      : undefined;
  const queries = [environments, flags, on, keys];
  return {
    progress,
    error: queries.find(({ isError }) => isError)?.error,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
