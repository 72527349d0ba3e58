import { isObject } from "../core/lib/is-object.ts";
import { withoutInvisible } from "../core/lib/visible-text.ts";

/** The most characters of the name of an agent in the audit trail. */
const MAX_VIA = 60;

/** The key in `_meta` of a request under which a client names itself (MCP 2026-07-28). */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** What may name an agent. */
export interface NamesOfAgent {
  /** The OAuth client to which the token was given, as `clientText` names it. */
  readonly client: string | undefined;
  /** The JSON-RPC message. */
  readonly message: unknown;
  readonly userAgent: string | undefined;
  /** The name of the token. */
  readonly token: string;
}

/**
 * Returns the name of an agent for the audit trail, of at most 60 characters: the OAuth client, else what
 * the agent calls itself, else the first product of its User-Agent, else the name of the token. All but
 * the host of an OAuth client are claims of the agent, so they never count as the actor.
 */
export function viaOf({ client, message, userAgent, token }: NamesOfAgent): string {
  const product = userAgent?.trim().split(/\s/)[0]?.replace("/", " ");
  const names = [client, clientInfoOf(message), product, token].map((name) => shown(name ?? ""));
  return names.find((name) => name !== "") ?? "";
}

/** Returns the title or name, and the version, by which the client of a request names itself. */
function clientInfoOf(message: unknown): string | undefined {
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  const info = isObject(meta) ? meta[CLIENT_INFO] : undefined;
  if (!isObject(info)) return undefined;
  const { title, name, version } = info;
  const texts = [title ?? name, version].filter((text) => typeof text === "string");
  return texts.join(" ");
}

/** Returns a name on one line, without characters that nobody sees, cut to `MAX_VIA` characters. */
const shown = (name: string): string =>
  Array.from(withoutInvisible(name.toWellFormed().replaceAll(/\s+/g, " ")).trim())
    .slice(0, MAX_VIA)
    .join("")
    .trim();
