import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";

/** Whether an instance of an Unleash SDK was seen in the environment in the last 24 hours. */
export const usesUnleashQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["instances", "unleash", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const { data = [] } = await api.GET("/api/v1/projects/{id}/client-instances", {
        params: {
          path: { id: projectId },
          query: { environmentId, havingFeature: "unleash", size: 1 },
        },
        signal,
      });
      return data.length > 0;
    },
  });
