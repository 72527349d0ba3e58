import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";

/** The maximum number of SDK instances that `oldInstancesQuery` loads. */
const MAX_OLD_INSTANCES = 5;

/**
 * The React Query options that load SDK instances which fetched rules in the last 24 hours, but do
 * not know ordered rules. `total` also counts those that are not loaded.
 */
export const oldInstancesQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["instances", "old", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const { data: instances = [], response } = await api.GET(
        "/api/v1/projects/{id}/client-instances",
        {
          params: {
            path: { id: projectId },
            query: { environmentId, lackingFeature: "rules", size: MAX_OLD_INSTANCES },
          },
          signal,
        },
      );
      const total = Number(response.headers.get("X-Total-Count") ?? instances.length);
      return { instances, total };
    },
  });
