import { z } from "@hono/zod-openapi";
import { ERROR_CODES } from "../../core/errors/api-error.ts";
import { empty, json } from "../../http/contract.ts";
import { EXAMPLE_TRACE } from "../../http/headers.ts";
import type { RouteContract } from "../edge/route-contract.ts";

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

const manifestQuery = z.object({
  clients: z
    .enum(["browser"])
    .optional()
    .openapi({
      description:
        "browser: without the flags that browsers do not get (`clients` is `server`), so that the code " +
        "of a web page does not contain their names",
    }),
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

export const getManifest: RouteContract = {
  summary: "Get the flags of the key's project for code generation",
  description:
    "For `openfeature pull` of the OpenFeature CLI, which generates typed code from the flags. " +
    "Archived flags are not in the manifest. The same route exists under `/openfeature/v0`.",
  tags: ["OpenFeature"],
  request: { query: manifestQuery },
  responses: {
    200: json(
      manifest,
      "The flags that are not archived",
      "X-Manifest-Capabilities",
      "Cache-Control",
      "ETag",
    ),
    304: empty("No flag has changed", "X-Manifest-Capabilities", "Cache-Control", "ETag"),
    400: json(manifestError, "The query is not valid"),
    401: json(manifestError, "The API key is missing or invalid", "WWW-Authenticate"),
    403: json(manifestError, "The API key does not have the permission"),
    429: json(manifestError, "Too many requests", "Retry-After"),
    500: json(manifestError, "An unexpected error; the log has the details under the trace id"),
    503: json(manifestError, "The service is unavailable at the moment", "Retry-After"),
  },
};
