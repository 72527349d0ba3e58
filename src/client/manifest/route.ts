import { z } from "@hono/zod-openapi";
import { ERROR_CODES } from "../../core/errors/api-error.ts";
import { matchesNone } from "../../http/conditional.ts";
import { empty, json } from "../../http/contract.ts";
import { EXAMPLE_TRACE } from "../../http/headers.ts";
import { JSON_HEADERS } from "../../http/json.ts";
import { unavailable } from "../edge.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../surface.ts";

/**
 * The manifest API of OpenFeature, with which the OpenFeature CLI generates typed code.
 * See https://github.com/open-feature/cli/blob/main/api/v0/sync.yaml
 */

const manifest = z
  .object({
    flags: z.array(
      z
        .object({
          key: z.string(),
          name: z.string(),
          type: z.enum(["boolean", "string", "integer", "float", "object"]).openapi({
            description: "`float`: a flag with numbers, not all of which are integers",
          }),
          description: z.string().optional(),
          defaultValue: z.unknown().openapi({
            description:
              "The value of the off variant. Without an off variant: false for a boolean flag, otherwise " +
              "the value of the first variant",
          }),
        })
        .openapi("ManifestFlag"),
    ),
  })
  .openapi("Manifest", {
    example: {
      flags: [
        {
          key: "new-checkout",
          name: "New checkout",
          type: "boolean",
          description: "The checkout in one step",
          defaultValue: false,
        },
      ],
    },
  });

const manifestError = z
  .object({
    error: z.object({
      message: z.string(),
      status: z.int(),
      details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    }),
    code: z.enum(ERROR_CODES),
    traceId: z.string(),
  })
  .openapi("ManifestError", {
    example: {
      error: { message: "A valid token or key is required", status: 401 },
      code: "UNAUTHORIZED",
      traceId: EXAMPLE_TRACE,
    },
  });

export const getManifest: ClientRoute = {
  permission: "rules:read",
  contract: {
    method: "get",
    path: "/manifest",
    operationId: "getManifest",
    summary: "Get the flags of the key's project for code generation",
    description:
      "For `openfeature pull` of the OpenFeature CLI, which generates typed code from the flags. " +
      "Archived flags are not in the manifest. The same route exists under `/openfeature/v0`.",
    tags: ["OpenFeature"],
    responses: {
      200: json(
        manifest,
        "The flags that are not archived",
        "X-Manifest-Capabilities",
        "Cache-Control",
        "ETag",
      ),
      304: empty("No flag has changed", "X-Manifest-Capabilities", "Cache-Control", "ETag"),
      401: json(manifestError, "The API key is missing or invalid", "WWW-Authenticate"),
      403: json(manifestError, "The API key does not have the permission"),
      429: json(manifestError, "Too many requests", "Retry-After"),
      500: json(manifestError, "An unexpected error; the log has the details under the trace id"),
      503: json(manifestError, "The service is unavailable at the moment", "Retry-After"),
    },
  },
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
