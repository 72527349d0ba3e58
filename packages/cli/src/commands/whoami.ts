import { connectService, sourcesOf } from "../connect.ts";
import { type ConnectionOptions, settingsOf, type TokenSource } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { Project } from "../types.ts";

const KINDS: readonly (readonly [prefix: string, kind: string])[] = [
  ["ffpat_", "personal token"],
  ["ffsvc_", "token of a service account"],
  ["ffmcp_", "token of an MCP client"],
  ["ey", "access token of a session"],
];

/** Shows which service answers, where the token comes from, and what the token can see. */
export async function run(terminal: Terminal, options: ConnectionOptions): Promise<void> {
  const settings = settingsOf(sourcesOf(options));
  const api = await connectService(settings, terminal);
  const projects = await api.get<readonly Project[]>("/projects");
  const { url, project, token } = settings;
  const source = sourceOf(token);
  const kind = kindOf(token);
  const rows = projects.map(({ name, ownRole }) => [name, ownRole ?? ""]);
  terminal.result(
    {
      url,
      project,
      token: { kind, source },
      projects: projects.map(({ id, name, ownRole }) => ({ id, name, role: ownRole })),
    },
    `${url}\n${kind} from ${source}\n\n${table([["PROJECT", "ROLE"], ...rows])}`,
  );
}

const sourceOf = (token: TokenSource): string =>
  token.kind === "profile" ? `profile ${token.name}` : "FLAGS_TOKEN";

function kindOf(source: TokenSource): string {
  const token = source.kind === "profile" ? source.profile.token : undefined;
  const text = "token" in source ? source.token : token;
  if (text === undefined) return "token of a tokenCommand";
  return KINDS.find(([prefix]) => text.startsWith(prefix))?.[1] ?? "API key";
}
