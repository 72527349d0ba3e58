import { z } from "@hono/zod-openapi";
import { empty, ifNoneMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";

const part = z.record(z.string(), z.unknown());

const EXAMPLE_FEATURE = {
  name: "new-checkout",
  type: "release",
  enabled: true,
  stale: false,
  impressionData: false,
  strategies: [
    {
      name: "flexibleRollout",
      parameters: { rollout: "50", stickiness: "default", groupId: "new-checkout" },
      constraints: [],
      variants: [],
    },
  ],
  variants: [],
};

const feature = z
  .object({
    name: z.string(),
    type: z.literal("release"),
    enabled: z.boolean(),
    stale: z.literal(false),
    impressionData: z.literal(false),
    strategies: z.array(part).openapi({
      description: "The rules: `flexibleRollout` with constraints. The first that holds decides.",
    }),
    variants: z.array(part),
    dependencies: z.array(part).optional(),
  })
  .openapi("UnleashFeature", {
    example: EXAMPLE_FEATURE,
  });

const features = z.array(feature);
/** The segments are part of the strategies. */
const segments = z.array(part).max(0);

const EXAMPLE = { features: [EXAMPLE_FEATURE], segments: [] };

const document = z
  .object({ version: z.literal(2), features, segments })
  .openapi("UnleashDocument", { example: { version: 2, ...EXAMPLE } });

const delta = z
  .object({
    events: z.array(
      z.object({ type: z.literal("hydration"), eventId: z.int(), features, segments }),
    ),
  })
  .openapi("UnleashDelta", {
    example: { events: [{ type: "hydration", eventId: 8, ...EXAMPLE }] },
  });

const HEADERS = ["Cache-Control", "X-Revision", "Warning", "ETag"] as const;

const shared = {
  description:
    "What Unleash cannot express is off or left out: `GET /api/v1/environments/{id}/unleash` lists " +
    "these flags. An SDK that sends no `Unleash-Client-Spec` of 4.3.0 or newer gets flags with " +
    "prerequisites as off. `project`, `namePrefix` and `tag` are ignored.",
  tags: ["Unleash"],
  ...ifNoneMatch,
} satisfies Partial<RouteContract>;

const unchanged = {
  304: empty("The rules have not changed since the ETag", ...HEADERS),
  ...errors(401, 403),
};

export const unleashFeatures: RouteContract = {
  ...shared,
  summary: "Get the rules of the key's environment as a document of Unleash",
  responses: { 200: json(document, "The flags", ...HEADERS), ...unchanged },
};

export const unleashDelta: RouteContract = {
  ...shared,
  summary: "Get the rules of the key's environment as an event of Unleash",
  responses: { 200: json(delta, "One event with all flags", ...HEADERS), ...unchanged },
};
