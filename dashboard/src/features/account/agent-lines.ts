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
  /** Whether the lines have a token. Without one, the program signs in with OAuth. */
  readonly hasToken: boolean;
}

const json = (value: object): string => JSON.stringify(value, undefined, 2);

/**
 * Returns the lines that connect the agents of some programs with the service at an origin. `hasToken`:
 * whether the lines have a token. Those of Cursor always have one, because it only signs in at services
 * at which programs register themselves, and nobody can do that here (docs/use/oauth.md).
 */
export function agentLines(origin: string, hasToken: boolean): readonly AgentProgram[] {
  const url = `${origin}/api/mcp`;
  const headers = { headers: { Authorization: `Bearer ${TOKEN}` } };
  const header = hasToken ? ` \\\n  --header "Authorization: Bearer ${TOKEN}"` : "";
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      file: undefined,
      lines: `claude mcp add --transport http flags ${url}${header}`,
      hasToken,
    },
    {
      id: "cursor",
      name: "Cursor",
      file: "~/.cursor/mcp.json",
      lines: json({ mcpServers: { flags: { url, ...headers } } }),
      hasToken: true,
    },
    {
      id: "vs-code",
      name: "VS Code",
      file: ".vscode/mcp.json",
      lines: json({ servers: { flags: { type: "http", url, ...(hasToken && headers) } } }),
      hasToken,
    },
  ];
}
