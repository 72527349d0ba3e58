import { z } from "@hono/zod-openapi";
import type { Form } from "@feature-flags/unleash";
import { matchesNone } from "../../http/conditional.ts";
import { empty, ifNoneMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../surface.ts";
import type { BodyKind } from "./documents.ts";
import { markUnleashInstance } from "./instance.ts";

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
  method: "get" as const,
  description:
    "What Unleash cannot express is off or left out: `GET /api/v1/environments/{id}/unleash` lists " +
    "these flags. An SDK that sends no `Unleash-Client-Spec` of 4.3.0 or newer gets flags with " +
    "prerequisites as off. `project`, `namePrefix` and `tag` are ignored.",
  tags: ["Unleash"],
  ...ifNoneMatch,
} satisfies Partial<ClientRoute["contract"]>;

const unchanged = {
  304: empty("The rules have not changed since the ETag", ...HEADERS),
  ...errors(401, 403),
};

export const unleashFeatures: ClientRoute = {
  permission: "rules:read",
  contract: {
    ...shared,
    path: "/client/features",
    operationId: "unleashFeatures",
    summary: "Get the rules of the key's environment as a document of Unleash",
    responses: { 200: json(document, "The flags", ...HEADERS), ...unchanged },
  },
  respond: (call) => respond(call, "document"),
};

export const unleashDelta: ClientRoute = {
  permission: "rules:read",
  contract: {
    ...shared,
    path: "/client/delta",
    operationId: "unleashDelta",
    summary: "Get the rules of the key's environment as an event of Unleash",
    responses: { 200: json(delta, "One event with all flags", ...HEADERS), ...unchanged },
  },
  respond: (call) => respond(call, "hydration"),
};

/** The mapping. Undefined until the first response of this isolate needs it: other isolates never do. */
let mapping: typeof import("@feature-flags/unleash/body").unleashFeatures | undefined;

function respond(call: ClientCall, kind: BodyKind): ClientResponse | Promise<ClientResponse> {
  const { c, served } = call;
  const { headers } = c.req.raw;
  markUnleashInstance(call, true);
  const form = formOf(headers.get("Unleash-Client-Spec"));
  const { unleash } = served.set;
  const held = headers.get("If-None-Match");
  if (held !== null && matchesNone(held, unleash.etagOf(form)))
    return { status: 304, headers: unleash.headersOf(form, true, served.stale), body: null };
  return unleash.isHeld(form) ? whole(call, form, kind) : make(call, form, kind);
}

async function make(call: ClientCall, form: Form, kind: BodyKind): Promise<ClientResponse> {
  mapping ??= (await import("@feature-flags/unleash/body")).unleashFeatures;
  const { edge, served } = call;
  edge.rules.makeUnleash(served.set, form, mapping);
  return whole(call, form, kind);
}

const whole = ({ served }: ClientCall, form: Form, kind: BodyKind): ClientResponse => ({
  status: 200,
  headers: served.set.unleash.headersOf(form, false, served.stale),
  body: served.set.unleash.body(form, kind),
});

/** Matches the start of a version. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\./;

/**
 * Returns the form of the document for an SDK that implements a version of the client specification.
 * Dependencies and the variants of strategies are in the specification since 4.3.0 and 5.0.0.
 */
function formOf(specification: string | null): Form {
  const [, major, minor] = VERSION.exec(specification ?? "") ?? [];
  const isNew = Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 3);
  return isNew ? "a" : "b";
}
