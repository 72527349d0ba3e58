import { ApiError } from "../../core/errors/api-error.ts";
import { matchesNone } from "../../http/conditional.ts";
import { JSON_HEADERS } from "../../http/json.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { unavailable } from "../edge/edge.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import type { Audience } from "../rules/manifests.ts";

/**
 * The manifest API of OpenFeature, with which the OpenFeature CLI generates typed code.
 * See https://github.com/open-feature/cli/blob/main/api/v0/sync.yaml
 */

/** The value of the query parameter `clients` that leaves out the flags which browsers do not get. */
const BROWSER = "browser";

export const getManifest: ClientRoute = {
  operationId: "getManifest",
  method: "get",
  path: "/manifest",
  permission: "rules:read",
  respond,
};

/**
 * Responds with the flags as they are in the primary database, because the rules in memory do not
 * have the descriptions. Throws: 400 for a query that is not valid, 503 when the database is unavailable.
 */
async function respond({ c, served, edge, ports }: ClientCall): Promise<ClientResponse> {
  const audience = audienceIn(c);
  const session = ports.openSession("first-primary");
  const held = c.req.raw.headers.get("If-None-Match");
  const { etag, body } = await edge.manifests
    .of(
      session,
      { projectId: served.key.projectId, audience },
      (tag) => held !== null && matchesNone(held, tag),
    )
    .catch((error: unknown) => {
      throw unavailable(ports, error);
    });
  const headers = new Headers({
    ...(body !== undefined && JSON_HEADERS),
    ETag: etag,
    "Cache-Control": "private, no-cache",
    "X-Manifest-Capabilities": "read",
  });
  return body === undefined ? { status: 304, headers, body: null } : { status: 200, headers, body };
}

/** Returns whose flags a request wants. Throws: 400. */
function audienceIn(c: ClientCall["c"]): Audience {
  if (!c.req.raw.url.includes("?")) return "all";
  assertUrl(c.req.raw.url);
  const text = c.req.query("clients");
  if (text === undefined) return "all";
  if (text === BROWSER) return BROWSER;
  throw new ApiError("BAD_REQUEST", `clients: must be ${BROWSER}`);
}
