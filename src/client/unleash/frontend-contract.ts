import { z } from "@hono/zod-openapi";
import { body, empty, ifNoneMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { FRESHNESS } from "../edge/surface.ts";

const frontendRequest = z
  .object({ context: z.record(z.string(), z.unknown()).optional() })
  .openapi("UnleashFrontendRequest", {
    example: { context: { userId: "ann", properties: { country: "DE" } } },
  });

const toggles = z
  .object({
    toggles: z.array(
      z.object({
        name: z.string(),
        enabled: z.boolean(),
        variant: z.object({
          name: z.string().openapi({ description: "`disabled`: the flag has no values" }),
          enabled: z.boolean(),
          payload: z
            .object({ type: z.enum(["string", "number", "json"]), value: z.string() })
            .optional(),
          feature_enabled: z.boolean(),
        }),
        impressionData: z.literal(false),
      }),
    ),
  })
  .openapi("UnleashToggles", {
    example: {
      toggles: [
        {
          name: "checkout-layout",
          enabled: true,
          variant: {
            name: "wide",
            enabled: true,
            payload: { type: "json", value: '{"columns":3}' },
            feature_enabled: true,
          },
          impressionData: false,
        },
      ],
    },
  });

const shared = {
  summary: "Evaluate all flags for an Unleash SDK of a front end",
  description:
    "Lists the flags that are on, and the flags with values that serve their off variant. Fields of " +
    "`properties` are fields of the context. If they are missing, `targetingKey` is the `userId`, " +
    "`remoteAddress` the address of the caller, and `currentTime` the current time.",
  tags: ["Unleash"],
  ...ifNoneMatch,
  responses: {
    200: json(toggles, "The flags", ...FRESHNESS, "ETag"),
    304: empty("The response has not changed", ...FRESHNESS, "ETag"),
    ...errors(400, 401, 403),
  },
};

export const getFrontend: RouteContract = {
  ...shared,
  request: {
    query: z.object({
      userId: z.string().optional(),
      "properties[country]": z.string().optional().openapi({
        description: "Any field of the context may be a parameter",
      }),
    }),
  },
};

export const postFrontend: RouteContract = { ...shared, request: { body: body(frontendRequest) } };
