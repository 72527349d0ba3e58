import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type ServerOptions,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { visibleJson } from "./session/fit.ts";
import { shortSchema } from "./schema.ts";
import type { AgentSession } from "./session/session.ts";
import { cleanUpText, GUIDE, INSTRUCTIONS, rollOutText } from "./texts.ts";
import { archiveFlag } from "./tools/archive-flag.ts";
import { setRollout, switchFlag } from "./tools/change-strategy.ts";
import { createFlag } from "./tools/create-flag.ts";
import { errorText } from "./tools/errors.ts";
import { explainFlag } from "./tools/explain.ts";
import { findFlags } from "./tools/find-flags.ts";
import { getFlag } from "./tools/get-flag.ts";
import { history } from "./tools/history.ts";
import { staleFlags } from "./tools/stale-flags.ts";
import type { Tool } from "./tools/tool.ts";

/** This file is loaded with the first message, because the library takes as long to start as the API. */

const SERVER = { name: "feature-flags", title: "Feature flags", version: "1.0.0" };

/** The service keeps no sessions, so it cannot tell a client that a list has changed. */
const OPTIONS: ServerOptions = {
  instructions: INSTRUCTIONS,
  capabilities: {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false },
  },
};

/** Streams would keep an isolate busy, and no list changes. The route has checked the size of the body. */
const HANDLER = { maxSubscriptions: 0, keepAliveMs: 0, maxRequestBodySize: 65_536 };

const ANNOTATIONS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Record<Tool["effect"], ToolAnnotations>;

/** A tool as the library takes it. */
type Registration = (server: McpServer, session: AgentSession) => void;

function registration<I extends z.ZodType, O extends z.ZodType>(tool: Tool<I, O>): Registration {
  const { name, title, description, effect } = tool;
  const annotations = { ...ANNOTATIONS[effect], openWorldHint: false };
  // The schemas are converted at most once in an isolate.
  const schemas = { inputSchema: shortSchema(tool.input), outputSchema: shortSchema(tool.output) };
  return (server, session) =>
    server.registerTool(name, { title, description, annotations, ...schemas }, (input) =>
      resultOf(session, () => tool.run(session, input)),
    );
}

/** Returns the result of a tool. The text is the same JSON as the structured content. */
async function resultOf(
  { traceId }: AgentSession,
  run: () => Promise<unknown>,
): Promise<CallToolResult> {
  try {
    const text = visibleJson(await run());
    return {
      content: [{ type: "text", text }],
      structuredContent: JSON.parse(text) as Record<string, unknown>,
    };
  } catch (error) {
    return { content: [{ type: "text", text: errorText(error, traceId) }], isError: true };
  }
}

const READING = [
  registration(findFlags),
  registration(getFlag),
  registration(explainFlag),
  registration(history),
  registration(staleFlags),
];
const WRITING = [
  registration(createFlag),
  registration(setRollout),
  registration(switchFlag),
  registration(archiveFlag),
];

const name = z.string().min(1).max(200);
const ROLL_OUT = shortSchema(z.strictObject({ flag: name, environment: name }));
const CLEAN_UP = shortSchema(z.strictObject({ flag: name }));

/** Returns the answer to one message. Answers in the protocol version of the client. */
export function respond(
  request: Request,
  message: unknown,
  session: AgentSession,
): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(session), HANDLER);
  return handler.fetch(request, { parsedBody: message });
}

function serverFor(session: AgentSession): McpServer {
  const server = new McpServer(SERVER, OPTIONS);
  for (const register of session.canWrite ? [...READING, ...WRITING] : READING)
    register(server, session);
  server.registerPrompt(
    "roll_out_flag",
    {
      title: "Roll out a flag",
      description: "The next step of a roll-out, with a preview.",
      argsSchema: ROLL_OUT,
    },
    ({ flag, environment }) => promptOf(rollOutText(flag, environment)),
  );
  server.registerPrompt(
    "clean_up_flag",
    {
      title: "Clean up a flag",
      description: "Removes a flag from the code, then archives it.",
      argsSchema: CLEAN_UP,
    },
    ({ flag }) => promptOf(cleanUpText(flag)),
  );
  const mimeType = "text/markdown";
  server.registerResource(
    "guide",
    "flags://guide",
    { title: "Guide", description: "How to work with flags.", mimeType },
    ({ href }) => ({ contents: [{ uri: href, mimeType, text: GUIDE }] }),
  );
  return server;
}

const promptOf = (text: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
});
