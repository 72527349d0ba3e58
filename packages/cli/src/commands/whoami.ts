import type { Api } from "../api.ts";
import { connectService, sourcesOf } from "../connect.ts";
import { Failure } from "../failure.ts";
import { type ConnectionOptions, settingsOf, type TokenSource } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { CurrentToken, Project } from "../types.ts";

const KINDS: readonly (readonly [prefix: string, kind: string])[] = [
  ["ffpat_", "personal token"],
  ["ffsvc_", "token of a service account"],
  ["ffmcp_", "token of an MCP client"],
  ["ey", "access token of a session"],
];

/** Shows which service answers, where the token comes from, and what the token may do. */
export async function run(terminal: Terminal, options: ConnectionOptions): Promise<void> {
  const settings = settingsOf(sourcesOf(options));
  const api = await connectService(settings, terminal);
  const projects = await api.get("/projects");
  const { url, project, token } = settings;
  const found = {
    kind: kindOf(token),
    source: sourceOf(token),
    ...(await rightsOf(api, projects)),
  };
  const rows = projects.map(({ name, ownRole }) => [name, ownRole ?? ""]);
  terminal.result(
    {
      url,
      project,
      token: found,
      projects: projects.map(({ id, name, ownRole }) => ({ id, name, role: ownRole })),
    },
    `${url}\n${textOf(found)}\n\n${table([["PROJECT", "ROLE"], ...rows])}`,
  );
}

/** An environment to which a token is limited. */
interface Limit {
  readonly id: number;
  readonly name: string;
  /** Null: the environment was deleted, or the caller may not see it. */
  readonly project: string | null;
}

interface Rights {
  readonly name: string;
  readonly owner: CurrentToken["owner"];
  readonly scopes: readonly string[];
  /** The only environments in which the token writes. Null: no such limit. */
  readonly environments: readonly Limit[] | null;
  readonly expiresAt: string;
}

const WITHOUT_RIGHTS = new Set(["FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED"]);

/**
 * Returns what the token may do. Undefined for an API key, for the access token of a session, and for a
 * service that is too old to say it.
 */
async function rightsOf(api: Api, projects: readonly Project[]): Promise<Rights | undefined> {
  try {
    const token = await api.get("/tokens/current");
    const { name, owner, scopes, environmentIds, expiresAt } = token;
    const environments = environmentIds && (await limitsOf(api, environmentIds, projects));
    return { name, owner, scopes, environments, expiresAt };
  } catch (error) {
    if (error instanceof Failure && WITHOUT_RIGHTS.has(error.code ?? "")) return undefined;
    throw error;
  }
}

async function limitsOf(
  api: Api,
  ids: readonly number[],
  projects: readonly Project[],
): Promise<readonly Limit[]> {
  const all = await api.get("/environments");
  return ids.map((id) => {
    const found = all.find((one) => one.id === id);
    const project = projects.find((one) => one.id === found?.projectId);
    return { id, name: found?.name ?? `#${id}`, project: project?.name ?? null };
  });
}

function textOf(token: { readonly kind: string; readonly source: string } & Partial<Rights>) {
  const { kind, source, name, owner, scopes, environments, expiresAt } = token;
  if (owner === undefined || scopes === undefined) return `${kind} from ${source}`;
  const names = environments?.map((one) => [one.project, one.name].filter(Boolean).join("/"));
  return [
    `${kind} ${name} from ${source}`,
    `owner: ${owner.name}`,
    `scopes: ${scopes.join(", ")}`,
    ...(names === undefined ? [] : [`writes only in: ${names.join(", ")}`]),
    `expires: ${expiresAt}`,
  ].join("\n");
}

const sourceOf = (token: TokenSource): string =>
  token.kind === "profile" ? `profile ${token.name}` : "FLAGS_TOKEN";

function kindOf(source: TokenSource): string {
  const token = source.kind === "profile" ? source.profile.token : undefined;
  const text = "token" in source ? source.token : token;
  if (text === undefined) return "token of a tokenCommand";
  return KINDS.find(([prefix]) => text.startsWith(prefix))?.[1] ?? "API key";
}
