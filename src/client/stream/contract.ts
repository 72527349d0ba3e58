import { z } from "@hono/zod-openapi";
import { sdkHeaders } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { headerRefs, parameterRef } from "../../http/headers.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { ofrepErrors } from "../ofrep/contract.ts";

const streamResponse = (example: string) => ({
  description: "The events",
  headers: headerRefs(["Cache-Control"]),
  content: { "text/event-stream": { schema: z.string(), example } },
});

const revisionQuery = z.object({
  revision: z
    .int()
    .min(0)
    .optional()
    .openapi({
      description:
        "The revision that the client has. `Last-Event-ID` replaces it. Without both, the first " +
        "event names the newest revision.",
    }),
});

const WHAT =
  "Server-sent events: the stream stays open, and each new revision of the environment is an event " +
  "whose `id` is the revision. A client that connects with an older revision gets the newest at " +
  "once. Every 25 seconds there is a comment.";

const FULL = "the service holds as many streams as it can: 429 with `Retry-After`; poll until then";

export const stream: RouteContract = {
  summary: "Learn of new revisions at once",
  description:
    `${WHAT} The event \`revision\` has the data \`{revision, from, etag, digest, nextSince, rules}\`: the ` +
    "rules that changed since the revision `from`, as in a delta. If they are larger than 16 KB, " +
    `the data is \`{revision}\`. When ${FULL}.`,
  tags: ["Client"],
  parameters: [parameterRef("Last-Event-ID"), ...sdkHeaders.parameters],
  request: { query: revisionQuery },
  responses: {
    200: streamResponse('retry: 2718\n\nevent: revision\nid: 8\ndata: {"revision":8}\n\n'),
    ...errors(400, 401, 403),
  },
};

export const ofrepStream: RouteContract = {
  summary: "Learn of changes at once (OFREP)",
  description:
    `${WHAT} The event \`message\` has the data \`{type: "refetchEvaluation", etag}\`. ` +
    "`eventStreams` of a bulk evaluation has the URL with its token, which is valid as long as its " +
    `API key. When ${FULL}.`,
  tags: ["OpenFeature"],
  parameters: [parameterRef("Last-Event-ID")],
  request: {
    query: z.object({
      token: z
        .string()
        .optional()
        .openapi({ description: "The token, in place of an API key in the headers" }),
    }),
  },
  responses: {
    200: streamResponse(
      "retry: 2718\n\nevent: message\nid: 8\n" +
        'data: {"type":"refetchEvaluation","etag":"\\"8\\""}\n\n',
    ),
    ...ofrepErrors,
  },
};
