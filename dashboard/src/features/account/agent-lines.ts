/** What stands for the token in the lines. A token is shown only once, so the page does not know it. */
export const TOKEN = "<token>";

/** A program whose agent can be connected. */
interface AgentProgram {
  /** A word for the ids of elements, which may have no space. */
  readonly id: string;
  readonly name: string;
  /** The file that has the lines. Undefined: a command for the terminal. */
  readonly file: string | undefined;
  readonly lines: string;
}

const json = (value: object): string => JSON.stringify(value, undefined, 2);

/**
 * Returns the lines that connect the agents of some programs with the service at an origin. Without a
 * token, the programs sign in with OAuth.
 */
export function agentLines(origin: string, hasToken: boolean): readonly AgentProgram[] {
  const url = `${origin}/api/mcp`;
  const server = { url, ...(hasToken && { headers: { Authorization: `Bearer ${TOKEN}` } }) };
  const header = hasToken ? ` \\\n  --header "Authorization: Bearer ${TOKEN}"` : "";
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      file: undefined,
      lines: `claude mcp add --transport http flags ${url}${header}`,
    },
    {
      id: "cursor",
      name: "Cursor",
      file: "~/.cursor/mcp.json",
      lines: json({ mcpServers: { flags: server } }),
    },
    {
      id: "vs-code",
      name: "VS Code",
      file: ".vscode/mcp.json",
      lines: json({ servers: { flags: { type: "http", ...server } } }),
    },
  ];
}
