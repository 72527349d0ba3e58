import { z } from "@hono/zod-openapi";
import { empty, ifNoneMatch, json, minRevisionHeader, sdkHeaders } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { clientRules } from "../rules/rule-schema.ts";
import { FRESHNESS } from "../edge/surface.ts";

const featuresQuery = z.object({
  since: z.iso.datetime({ offset: true }).optional().openapi({
    type: "string",
    format: "date-time",
    description:
      "Return only what changed at or after this time: `X-Next-Since` of the last response",
  }),
});

export const features: RouteContract = {
  summary: "Get the flag rules of the key's environment",
  description:
    "Returns the rules that an SDK with a `SERVER` key needs to evaluate flags itself. With `since`, " +
    "returns only the rules that changed, if the service still knows them (`X-Delta`); a flag that " +
    "was archived or deleted is in the list with `archived: true`.",
  tags: ["Client"],
  parameters: [
    ...ifNoneMatch.parameters,
    ...minRevisionHeader.parameters,
    ...sdkHeaders.parameters,
  ],
  request: { query: featuresQuery },
  responses: {
    200: json(
      clientRules,
      "The rules, or only those that changed",
      ...FRESHNESS,
      "ETag",
      "X-Delta",
      "X-Rules-Digest",
    ),
    304: empty("The rules have not changed since the ETag", ...FRESHNESS, "ETag", "X-Rules-Digest"),
    ...errors(400, 401, 403),
  },
};
