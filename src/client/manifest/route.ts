import { matchesNone } from "../../http/conditional.ts";
import { JSON_HEADERS } from "../../http/json.ts";
import { unavailable } from "../edge/edge.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";

/**
 * The manifest API of OpenFeature, with which the OpenFeature CLI generates typed code.
 * See https://github.com/open-feature/cli/blob/main/api/v0/sync.yaml
 */

export const getManifest: ClientRoute = {
  operationId: "getManifest",
  method: "get",
  path: "/manifest",
  permission: "rules:read",
  respond,
};

/**
 * Responds with the flags as they are in the primary database, because the rules in memory do not
 * have the descriptions. Throws: 503 when the database is unavailable.
 */
async function respond({ c, served, edge, ports }: ClientCall): Promise<ClientResponse> {
  const session = ports.openSession("first-primary");
  const held = c.req.raw.headers.get("If-None-Match");
  const { etag, body } = await edge.manifests
    .of(session, served.key.projectId, (tag) => held !== null && matchesNone(held, tag))
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
