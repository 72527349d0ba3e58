import { z } from "@hono/zod-openapi";
import { body, empty, ifNoneMatch, json, minRevisionHeader } from "../../http/contract.ts";
import { errorBody } from "../../http/error-contract.ts";
import { EXAMPLE_TRACE } from "../../http/headers.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { contextRequest } from "../edge/context-contract.ts";
import { FRESHNESS } from "../edge/surface.ts";
import { OFREP_ERROR_CODES } from "./errors.ts";

/**
 * The request and response bodies of OFREP 0.3.0, the OpenFeature Remote Evaluation Protocol.
 * See https://github.com/open-feature/protocol/blob/main/service/openapi.yaml
 */

const ofrepRequest = z
  .object({ context: contextRequest })
  .openapi("OfrepRequest", { example: { context: { targetingKey: "ann", country: "DE" } } });

const EXAMPLE_RESULT = {
  key: "checkout-layout",
  reason: "TARGETING_MATCH",
  variant: "wide",
  value: { columns: 3 },
  metadata: { rule: "k3v9x2ab" },
};

const EXAMPLE_FAILURE = {
  key: "new-checkout",
  errorCode: "TARGETING_KEY_MISSING",
  errorDetails: "The context does not have the id by which the flag is rolled out or split",
};

const ofrepResult = z
  .object({
    key: z.string(),
    reason: z
      .enum(["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "DEFAULT"])
      .openapi({ description: "`DEFAULT`: no rule decided, so the off variant is served" }),
    variant: z.string().optional(),
    value: z.unknown().openapi({
      description: "The value of the variant. Missing: the client uses the default in its code.",
    }),
    metadata: z
      .object({
        rule: z
          .string()
          .optional()
          .openapi({ description: "The id of the ordered rule that decided" }),
        detail: z
          .enum(["CONSTRAINT_MISMATCH", "PREREQUISITE_FAILED"])
          .optional()
          .openapi({ description: "Why no rule decided" }),
      })
      .optional(),
  })
  .openapi("OfrepResult", { example: EXAMPLE_RESULT });

const failure = { errorCode: z.enum(OFREP_ERROR_CODES), errorDetails: z.string() };

/** The body of every error response under the OFREP paths. */
const ofrepError = z
  .object({ key: z.string().optional(), ...failure, ...errorBody.shape })
  .openapi("OfrepError", {
    example: {
      ...EXAMPLE_FAILURE,
      error: EXAMPLE_FAILURE.errorDetails,
      code: "BAD_REQUEST",
      traceId: EXAMPLE_TRACE,
    },
  });

export const ofrepErrors = {
  401: json(ofrepError, "The API key is missing or invalid", "WWW-Authenticate"),
  403: json(ofrepError, "The API key does not have the permission"),
  429: json(ofrepError, "Too many requests", "Retry-After"),
  500: json(ofrepError, "An unexpected error; the log has the details under the trace id"),
  503: json(ofrepError, "The service is unavailable at the moment", "Retry-After"),
};

const ofrepFailure = z
  .object({ key: z.string(), ...failure })
  .openapi("OfrepFailure", { example: EXAMPLE_FAILURE });

const ofrepResults = z
  .object({
    flags: z.array(z.union([ofrepResult, ofrepFailure])),
    metadata: z.object({
      version: z.string().openapi({ description: "The revision of the environment" }),
      flagSetId: z.string().openapi({ description: "The id of the environment" }),
    }),
    eventStreams: z
      .array(
        z.object({
          type: z.literal("sse"),
          endpoint: z.object({
            requestUri: z.string().openapi({
              description: "A path of this service. It is the same as long as the API key exists.",
            }),
          }),
        }),
      )
      .optional()
      .openapi({
        description: "Where to learn of changes. Missing when the service has no streams.",
      }),
  })
  .openapi("OfrepResults", {
    example: {
      flags: [EXAMPLE_RESULT, EXAMPLE_FAILURE],
      metadata: { version: "8", flagSetId: "3" },
      eventStreams: [
        { type: "sse", endpoint: { requestUri: "/api/ofrep/v1/stream?token=12.3.X5p9" } },
      ],
    },
  });

const BAD_REQUEST =
  "Malformed JSON or revision (`PARSE_ERROR`), a missing or invalid context (`INVALID_CONTEXT`)";

const tags = ["OpenFeature"];

const revisionQuery = z.object({
  flagConfigEtag: z
    .string()
    .optional()
    .openapi({
      description:
        "The `etag` of an event of the stream. The response is at least as new as the event, as with " +
        "`X-Min-Revision`.",
    }),
});

export const evaluateFlag: RouteContract = {
  summary: "Evaluate one flag (OFREP)",
  description: "For server-side OpenFeature providers. The same route exists under `/ofrep/v1`.",
  tags,
  ...minRevisionHeader,
  request: {
    params: z.object({ key: z.string() }),
    query: revisionQuery,
    body: body(ofrepRequest),
  },
  responses: {
    200: json(ofrepResult, "The value of the flag", ...FRESHNESS),
    400: json(ofrepError, `${BAD_REQUEST}, or one without the id (\`TARGETING_KEY_MISSING\`)`),
    404: json(ofrepError, "The flag does not exist (`FLAG_NOT_FOUND`)"),
    ...ofrepErrors,
  },
};

export const evaluateFlags: RouteContract = {
  summary: "Evaluate all flags (OFREP)",
  description:
    "For OpenFeature providers in browsers and apps. A flag that cannot be evaluated, because the " +
    "context does not have the id that it needs, is a failure among the results. The same route " +
    "exists under `/ofrep/v1`.",
  tags,
  parameters: [...ifNoneMatch.parameters, ...minRevisionHeader.parameters],
  request: { query: revisionQuery, body: body(ofrepRequest) },
  responses: {
    200: json(ofrepResults, "The values of all flags", ...FRESHNESS, "ETag"),
    304: empty("Neither the rules nor the context have changed", ...FRESHNESS, "ETag"),
    400: json(ofrepError, BAD_REQUEST),
    ...ofrepErrors,
  },
};
