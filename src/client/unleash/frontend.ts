import { z } from "@hono/zod-openapi";
import { hash64 } from "@feature-flags/client-api/hash";
import { togglesBody } from "@feature-flags/client-api/toggles";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { invalid } from "../../core/errors/api-error.ts";
import { matchesNone } from "../../http/conditional.ts";
import { body, empty, ifNoneMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { readBody } from "../../http/json.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { fieldErrorsOf } from "../../http/zod-errors.ts";
import { contextRequest } from "../context-request.ts";
import { compiledRules } from "../rules/compiled-rules.ts";
import { type ClientCall, type ClientResponse, type ClientRoute, FRESHNESS } from "../surface.ts";
import { isObject } from "../usage/reported-counts.ts";
import { markUnleashInstance } from "./instance.ts";

const encoder = new TextEncoder();

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

const contract = {
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

/** Matches a parameter of the query that is a property of the context. */
const PROPERTY = /^properties\[(.*)\]$/s;

export const getFrontend: ClientRoute = {
  permission: "rules:evaluate",
  contract: {
    ...contract,
    method: "get",
    path: "/frontend",
    operationId: "unleashFrontend",
    request: {
      query: z.object({
        userId: z.string().optional(),
        "properties[country]": z.string().optional().openapi({
          description: "Any field of the context may be a parameter",
        }),
      }),
    },
  },
  respond: (call) => respond(call, contextIn(call.c.req.raw.url)),
};

export const postFrontend: ClientRoute = {
  permission: "rules:evaluate",
  contract: {
    ...contract,
    method: "post",
    path: "/frontend",
    operationId: "unleashFrontendPost",
    request: { body: body(frontendRequest) },
  },
  respond: async (call) => {
    const { context = {} } = await readBody(call.c, frontendRequest);
    const { properties, ...fields } = context;
    return respond(call, isObject(properties) ? { ...properties, ...fields } : fields);
  },
};

/** Returns the context in the query of a URL. A field counts more than a property. Throws: 400. */
function contextIn(url: string): EvaluationContext {
  assertUrl(url);
  const start = url.indexOf("?");
  const query = [...new URLSearchParams(start === -1 ? "" : url.slice(start + 1))];
  const named = query.map(([name, value]) => ({ name, value, property: PROPERTY.exec(name)?.[1] }));
  const properties = named.flatMap(({ property, value }) =>
    property === undefined ? [] : [[property, value] as const],
  );
  const fields = named.flatMap(({ name, property, value }) =>
    property === undefined ? [[name, value] as const] : [],
  );
  return Object.fromEntries([...properties, ...fields]);
}

/** Throws: 400 for a context above the limits. */
function respond(call: ClientCall, sent: EvaluationContext): ClientResponse {
  const { c, served, ports } = call;
  markUnleashInstance(call, false);
  const checked = contextRequest.safeParse(sent);
  if (!checked.success) throw invalid(fieldErrorsOf(checked.error));
  const { headers: requested } = c.req.raw;
  const context = completed(checked.data, requested.get("CF-Connecting-IP"), ports.now());
  const bytes = encoder.encode(togglesBody(compiledRules(call).byKey.values(), context));
  // The time alone can change a verdict, so only the body shows whether it is the same.
  const etag = `"${hash64(bytes)}"`;
  const held = requested.get("If-None-Match");
  const isUnchanged = held !== null && matchesNone(held, etag);
  const kind = isUnchanged ? "unchanged verdicts" : "verdicts";
  const headers = new Headers(served.set.headersOf(kind, served.stale));
  headers.set("ETag", etag);
  return isUnchanged
    ? { status: 304, headers, body: null }
    : { status: 200, headers, body: bytes as Uint8Array<ArrayBuffer> };
}

/** Adds the fields to a context that Unleash adds when they are missing. `now`: epoch milliseconds. */
const completed = (
  context: EvaluationContext,
  address: string | null,
  now: number,
): EvaluationContext => ({
  ...(context["userId"] !== undefined && { targetingKey: context["userId"] }),
  ...(address !== null && { remoteAddress: address }),
  currentTime: new Date(now).toISOString(),
  ...context,
});
