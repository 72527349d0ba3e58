import { hash64 } from "@feature-flags/client-api/hash";
import { togglesBody } from "@feature-flags/client-api/toggles";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { invalid } from "../../core/errors/api-error.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { matchesNone } from "../../http/conditional.ts";
import { readObject } from "../../http/json.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { contextErrors } from "../edge/context-request.ts";
import { visibleRules } from "../edge/compiled-rules.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import { markUnleashInstance } from "./instance.ts";

const encoder = new TextEncoder();

/** Matches a parameter of the query that is a property of the context. */
const PROPERTY = /^properties\[(.*)\]$/s;

export const getFrontend: ClientRoute = {
  operationId: "unleashFrontend",
  method: "get",
  path: "/frontend",
  permission: "rules:evaluate",
  respond: (call) => respond(call, contextIn(call.c.req.raw.url)),
};

export const postFrontend: ClientRoute = {
  operationId: "unleashFrontendPost",
  method: "post",
  path: "/frontend",
  permission: "rules:evaluate",
  respond: async (call) => respond(call, await contextInBody(call)),
};

/** Returns the context in the body of a request. A field counts more than a property. Throws: 400. */
async function contextInBody({ c }: ClientCall): Promise<EvaluationContext> {
  const { context = {} } = await readObject(c);
  if (!isObject(context)) throw invalid([{ field: "context", message: "must be an object" }]);
  const { properties, ...fields } = context;
  return isObject(properties) ? { ...properties, ...fields } : fields;
}

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
  const errors = contextErrors(sent, "");
  if (errors.length > 0) throw invalid(errors);
  const { headers: requested } = c.req.raw;
  const context = completed(sent, requested.get("CF-Connecting-IP"), ports.now());
  const bytes = encoder.encode(togglesBody(visibleRules(call).values(), context));
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
