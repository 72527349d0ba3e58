import { z } from "@hono/zod-openapi";
import { lazily } from "../core/lib/lazily.ts";
import { security } from "../http/access.ts";
import { body, empty, json } from "../http/contract.ts";
import { errorBody, errors } from "../http/error-contract.ts";
import { headerRefs } from "../http/headers.ts";
import { limitRequestTo } from "../http/request-limits.ts";
import { Router } from "../http/router.ts";
import { booleanText } from "../http/schema.ts";
import { type AgentActor, authenticated, insufficientScope, ownOrigin } from "./session/agent.ts";
import type { McpEnv } from "./session/ports.ts";
import { isWriteTool } from "./session/tool-names.ts";
import { viaOf } from "./via.ts";

/** The limits of a message. The largest input is a context of 8 KB, or the variants of a flag. */
const MESSAGE_LIMITS = { bytes: 65_536, depth: 32, status: 413 } as const;

/** A JSON-RPC message. A list of messages is refused, because it would pass the rate limits. */
const message = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    method: z.string().optional(),
    params: z.looseObject({ name: z.unknown().optional() }).optional(),
  })
  .openapi("McpMessage", {
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });

const EXAMPLE_EVENT = `event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n\n`;

const SENT = ["Cache-Control", "X-D1-Bookmark"] as const;

/** A refusal has the body of an error of the API, or of the protocol. */
const refusal = z.union([errorBody, message]).openapi({
  example: { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } },
});

const refused = (description: string) => json(refusal, description);

/** The endpoint for agents (Model Context Protocol), mounted under `/mcp`. */
export const mcp = new Router<McpEnv>("Agents");

/** The library and the tools, imported with the first message. */
const server = lazily(() => import("./server.ts"));

mcp.endpoint(
  "POST /",
  {
    operationId: "callMcp",
    summary: "Send a message of the Model Context Protocol",
    description:
      "For agents (docs/use/agents.md). Needs a token; API keys and sessions are refused. Serves the protocol " +
      "versions 2026-07-28, as JSON, and 2025-11-25 and older ones, as a stream of events.",
    middleware: [ownOrigin, authenticated, ...limitRequestTo(MESSAGE_LIMITS)] as const,
    ...security("flag:read"),
    request: {
      query: z.object({
        readonly: z.enum(["1"]).or(booleanText).optional().openapi({
          type: "string",
          description: "`1`: lists and allows only the tools that read",
        }),
      }),
      body: body(message),
    },
    responses: {
      200: {
        description: "The response to a request",
        headers: headerRefs(SENT),
        content: {
          "application/json": { schema: message },
          "text/event-stream": { schema: z.string(), example: EXAMPLE_EVENT },
        },
      },
      202: empty("The notification was accepted", ...SENT),
      ...errors(401, 403),
      400: refused("The message is malformed, or a list of messages"),
      404: refused("The method does not exist"),
      406: refused("The header Accept does not have both content types"),
      413: refused("The message is larger than 64 KiB"),
      415: refused("The content type is not JSON"),
    },
  },
  async (c) => {
    const sent = c.req.valid("json");
    const { readonly } = c.req.valid("query");
    // `authenticated` has set it.
    const actor = c.var.actor as AgentActor;
    const { token } = actor;
    const mayWrite = token.scopes.includes("write");
    if (sent.method === "tools/call" && isWriteTool(sent.params?.name) && !mayWrite)
      throw insufficientScope(c, "write");
    const { respond } = await server();
    const { userAgent, traceId } = c.var.deps.request;
    const via = viaOf({ client: token.client, message: sent, userAgent, token: token.name });
    const { publicUrl = new URL(c.req.url).origin } = c.var.deps;
    const canWrite = mayWrite && (readonly === undefined || readonly === false);
    const session = { actor, via, canWrite, publicUrl, traceId, ports: c.var.mcp };
    const response = await respond(c.req.raw, sent, session);
    return c.newResponse(response.body, response);
  },
);
