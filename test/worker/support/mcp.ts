import type { Role, Scope } from "@feature-flags/permissions/permissions";
import { type Answer, call, type CallOptions, type Json } from "./client.ts";
import { person } from "./people.ts";
import { newToken } from "./tokens.ts";

export const MCP = "/api/mcp";

const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol";

/** What an agent of the protocol version 2026-07-28 calls itself in these tests. */
export const AGENT = { name: "claude-code", title: "Claude Code", version: "1.2" };

interface Asked extends CallOptions {
  readonly query?: string;
}

/** Returns a message of the protocol version 2026-07-28. */
export const message = (method: string, params: object = {}, clientInfo: object = AGENT) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      [`${META}/protocolVersion`]: VERSION,
      [`${META}/clientInfo`]: clientInfo,
      [`${META}/clientCapabilities`]: {},
    },
  },
});

/** Returns the headers of a message, which repeat parts of it. */
export const headersOf = (method: string, name?: string) => ({
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": VERSION,
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
});

/** Sends a message of the protocol version 2026-07-28. */
export const send = (
  token: string | undefined,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { query = "", headers = {} }: Asked = {},
): Promise<Answer<Json>> => {
  const named = (params["name"] ?? params["uri"]) as string | undefined;
  return call("POST", MCP + query, {
    token,
    headers: { ...headersOf(method, named), ...headers },
    body: message(method, params),
  });
};

/** The result of a tool call: the structured content, or the text of an error. */
export interface ToolResult {
  readonly data: Json;
  /** Undefined for a result that is no error. */
  readonly error: string | undefined;
  readonly text: string;
}

export const toResult = ({ status, body }: Answer<Json>): ToolResult => {
  const { result } = body;
  if (status !== 200 || result === undefined)
    throw new Error(`No result: ${status} ${JSON.stringify(body)}`);
  const text: string = result.content[0].text;
  return { data: result.structuredContent, error: result.isError ? text : undefined, text };
};

/** Calls a tool. Throws: Error if the message itself is refused. */
export const useTool = async (
  token: string,
  name: string,
  input: object = {},
  options: Asked = {},
): Promise<ToolResult> =>
  toResult(await send(token, "tools/call", { name, arguments: input }, options));

/** Calls a tool that must succeed. Returns the structured content. */
export async function toolData(token: string, name: string, input: object = {}): Promise<Json> {
  const { data, error } = await useTool(token, name, input);
  if (error !== undefined) throw new Error(`${name}: ${error}`);
  return data;
}

interface TokenOf {
  readonly role?: Role;
  readonly scopes?: readonly Scope[];
  readonly projectIds?: readonly number[];
  readonly environmentIds?: readonly number[];
}

/** Inserts a user with a token for agents. */
export async function newAgent({
  role = "DEVELOPER",
  scopes = ["write"],
  ...limits
}: TokenOf = {}) {
  const owner = await person(role);
  const { token } = await newToken({ userId: owner.id, scopes, ...limits });
  return { token, owner };
}
