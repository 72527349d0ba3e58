import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const unleash = new Router<ManagementEnv>("Unleash");

unleash.endpoint(
  "GET /{id}/unleash",
  {
    operationId: "getUnleashUse",
    summary: "Read what SDKs of Unleash do not evaluate exactly in an environment",
    description: "Also counts the instances of Unleash SDKs that were seen in the last 24 hours.",
    ...access("strategy:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.unleashResponse, "The flags that are not exact, and the SDKs"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const use = await service.unleashUse(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toUnleash(use), 200);
  },
);
