import { access } from "../../http/access.ts";
import { json, listResponse } from "../../http/contract.ts";
import { sliced } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const instances = new Router<ManagementEnv>("Metrics");

instances.endpoint(
  "GET /projects/{id}/client-instances",
  {
    operationId: "listClientInstances",
    summary: "List the SDK instances of a project, most recently seen first",
    description:
      "Instances that were seen in the last 7 days; at most 10,000, the most recently seen.",
    ...access("metrics:read"),
    request: { params: idParams, query: schema.instancesQuery },
    responses: {
      200: listResponse(schema.instanceResponse, "The instances"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { environmentId, appName, lackingFeature, havingFeature, ...slice } =
      c.req.valid("query");
    const projectId = c.req.valid("param").id;
    const filter = { projectId, environmentId, appName, lackingFeature, havingFeature };
    const rows = await service.listInstances(callOfRequest(c), filter);
    return c.json(sliced(c, rows, slice).map(schema.toInstance), 200);
  },
);

instances.endpoint(
  "GET /environments/{id}/propagation",
  {
    operationId: "getPropagation",
    summary: "Read which SDK instances have the newest revision of an environment",
    description:
      "Shows how far a change has reached, such as a kill switch. Poll this until `complete` is true.",
    ...access("metrics:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.propagationResponse, "How many instances have the revision"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { id: environmentId } = c.req.valid("param");
    const found = await service.propagation(callOfRequest(c), { environmentId });
    return c.json(schema.toPropagation(found), 200);
  },
);
