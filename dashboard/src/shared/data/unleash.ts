import { read } from "../api/request.ts";

/** Whether an instance of an Unleash SDK was seen in the environment in the last 24 hours. */
export const usesUnleashQuery = (projectId: number, environmentId: number) =>
  read(
    "/api/v1/projects/{id}/client-instances",
    { path: { id: projectId }, query: { environmentId, havingFeature: "unleash", size: 1 } },
    { select: (instances) => instances.length > 0 },
  );
