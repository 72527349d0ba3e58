import type { Form } from "@feature-flags/unleash";
import { lazily } from "../../core/lib/lazily.ts";
import { matchesNone } from "../../http/conditional.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import type { BodyKind } from "../rules/documents.ts";
import { markUnleashInstance, specificationOf } from "./instance.ts";

export const unleashFeatures: ClientRoute = {
  operationId: "unleashFeatures",
  method: "get",
  path: "/client/features",
  permission: "rules:read",
  respond: (call) => respond(call, "document"),
};

export const unleashDelta: ClientRoute = {
  operationId: "unleashDelta",
  method: "get",
  path: "/client/delta",
  permission: "rules:read",
  respond: (call) => respond(call, "hydration"),
};

/** The mapping, imported with the first response of this isolate that needs it: most never do. */
const mapping = lazily(() => import("@feature-flags/unleash/body"));

function respond(call: ClientCall, kind: BodyKind): ClientResponse | Promise<ClientResponse> {
  const { c, served } = call;
  const { headers } = c.req.raw;
  markUnleashInstance(call, true);
  const form = formOf(headers);
  const { unleash } = served.set;
  const held = headers.get("If-None-Match");
  if (held !== null && matchesNone(held, unleash.etagOf(form)))
    return { status: 304, headers: unleash.headersOf(form, true, served.stale), body: null };
  return unleash.isHeld(form) ? whole(call, form, kind) : make(call, form, kind);
}

async function make(call: ClientCall, form: Form, kind: BodyKind): Promise<ClientResponse> {
  const { edge, served } = call;
  edge.rules.makeUnleash(served.set, form, (await mapping()).unleashFeatures);
  return whole(call, form, kind);
}

const whole = ({ served }: ClientCall, form: Form, kind: BodyKind): ClientResponse => ({
  status: 200,
  headers: served.set.unleash.headersOf(form, false, served.stale),
  body: served.set.unleash.body(form, kind),
});

/**
 * Returns the form of the document for an SDK that implements a version of the client specification.
 * Dependencies and the variants of strategies are in the specification since 4.3.0 and 5.0.0.
 */
function formOf(headers: Headers): Form {
  const { major, minor } = specificationOf(headers) ?? { major: 0, minor: 0 };
  return major > 4 || (major === 4 && minor >= 3) ? "a" : "b";
}
