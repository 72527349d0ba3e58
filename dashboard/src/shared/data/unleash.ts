import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";

/** Whether an instance of an Unleash SDK was seen in the environment in the last 24 hours. */
export const usesUnleashQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["instances", "unleash", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const instances = await dataOf(
        api.GET("/api/v1/projects/{id}/client-instances", {
          params: {
            path: { id: projectId },
            query: { environmentId, havingFeature: "unleash", size: 1 },
          },
          signal,
        }),
      );
      return instances.length > 0;
    },
  });
