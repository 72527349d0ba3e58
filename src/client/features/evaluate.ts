import { evaluationsBody } from "@feature-flags/client-api/evaluations";
import type { FieldError } from "../../core/errors/api-error.ts";
import { visibleRules } from "../edge/compiled-rules.ts";
import { type ContextBody, readContextBody } from "../edge/context-request.ts";
import { minRevision } from "../edge/min-revision.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";

/** The most flag keys in a request. This limit is part of the API (docs/use/api.md, Limits). */
export const MAX_TOGGLES = 1000;
/** The most characters of a flag key in a request. */
export const MAX_TOGGLE_LENGTH = 512;

type EvaluateBody = ContextBody & { readonly toggles?: readonly string[] };

/** Returns the field errors of `toggles`: the keys of the flags to evaluate. */
function toggleErrors({ toggles }: Readonly<Record<string, unknown>>): FieldError[] {
  if (toggles === undefined) return [];
  const error = (message: string) => [{ field: "toggles", message }];
  if (!Array.isArray(toggles)) return error("must be an array");
  if (toggles.length > MAX_TOGGLES) return error(`must have at most ${MAX_TOGGLES} entries`);
  return toggles.flatMap((key: unknown, index) => {
    if (typeof key === "string" && key.length <= MAX_TOGGLE_LENGTH) return [];
    const message = `must be a text of at most ${MAX_TOGGLE_LENGTH} characters`;
    return [{ field: `toggles.${index}`, message }];
  });
}

export const evaluate: ClientRoute = {
  operationId: "evaluateFlags",
  method: "post",
  path: "/evaluate",
  permission: "rules:evaluate",
  minRevision,
  respond,
};

async function respond(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  edge.markInstance(ports, served, c.req.raw.headers, false);
  const { context, toggles } = (await readContextBody(c, toggleErrors)) as EvaluateBody;
  const { set, stale } = served;
  return {
    status: 200,
    headers: set.headersOf("verdicts", stale),
    body: evaluationsBody(visibleRules(call), context, toggles, set.snapshot.revision),
  };
}
