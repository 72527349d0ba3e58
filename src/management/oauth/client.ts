import { z } from "@hono/zod-openapi";
import { invalid } from "../../core/errors/api-error.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { hasInvisible } from "../../core/lib/visible-text.ts";
import { clientIdError, isDocumentUrl } from "../../core/oauth/client-id.ts";
import { isRegistered, redirectUriError } from "../../core/oauth/redirect-uri.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import type { Deps } from "../../access/deps.ts";
import { DOCUMENT_LIMITS, jsonFrom, outgoing } from "../sign-on/outgoing.ts";
import { newTextCache } from "../sign-on/text-cache.ts";
import { findClient } from "../../model/oauth/queries.ts";

/** How long a metadata document is used again, milliseconds. */
const DOCUMENT_MS = 10 * MINUTE_MS;

/** How long a missing or invalid document is not fetched again, milliseconds. */
const FAILURE_MS = MINUTE_MS;

/**
 * The cached metadata documents of clients. They have a cache of their own, because users choose the URLs,
 * and must not displace the documents of identity providers.
 */
const documents = newTextCache(200);

/** The maximum length of the name of a client, characters. */
const MAX_NAME = 60;

/** A program that may ask users for tokens. */
export interface OAuthClient {
  readonly id: string;
  /** The name that the client gives itself. Anybody can choose any name. */
  readonly name: string;
  /** The host of the metadata document. Null: an administrator has registered the client. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

type Context = Pick<Deps, "db" | "now" | "signOn" | "limits">;

const invalidClient = (message: string) => invalid([{ field: "client_id", message }]);

/**
 * Returns the client with an id: a registered one, or the one that publishes a metadata document at this
 * URL. Throws: 400 with the field `client_id`, if there is no such client or its document is not valid; 429
 * above the rate limit of the fetches from the network of the caller.
 */
export async function clientOf(ctx: Context, clientId: string): Promise<OAuthClient> {
  if (isDocumentUrl(clientId)) return documentedClient(ctx, clientId);
  const found = await findClient(ctx.db, clientId);
  if (!found) throw invalidClient("must be a registered client, or the URL of a metadata document");
  return { id: clientId, name: found.name, host: null, redirectUris: found.redirectUris };
}

/** A client, or why there is none. */
type Read = { readonly client: OAuthClient } | { readonly problem: string };

async function documentedClient(
  { signOn: { allowHttp }, now, limits }: Context,
  clientId: string,
): Promise<OAuthClient> {
  const error = clientIdError(clientId, allowHttp);
  if (error !== undefined) throw invalidClient(error);
  let read = documents.kept(clientId, now()) as Read | undefined;
  if (!read) {
    limits.link();
    read = await readDocument(clientId, allowHttp);
    documents.keep(clientId, read, now() + ("client" in read ? DOCUMENT_MS : FAILURE_MS));
  }
  if ("problem" in read) throw invalidClient(read.problem);
  return read.client;
}

async function readDocument(url: string, allowHttp: boolean): Promise<Read> {
  try {
    const headers = { Accept: "application/json" };
    return clientIn(await jsonFrom(outgoing(allowHttp, DOCUMENT_LIMITS), url, { headers }), url);
  } catch (error) {
    if (error instanceof SignOnError)
      return { problem: `must be the URL of a metadata document: ${error.message}` };
    throw error;
  }
}

const texts = z.array(z.string());
const document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: texts.min(1),
  token_endpoint_auth_method: z.literal("none").default("none"),
  grant_types: texts.default(["authorization_code"]),
  response_types: texts.default(["code"]),
  // Reserved for clients with a secret, which cannot be in a public document.
  client_secret: z.never().optional(),
});

/** Reads the metadata document of a client (OAuth Client ID Metadata Document, section 4). */
function clientIn(json: unknown, clientId: string): Read {
  const read = document.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join(".") ?? "";
    return {
      problem: `must have a valid metadata document; ${field} ${issue?.message ?? ""}`,
    };
  }
  const { data } = read;
  if (data.client_id !== clientId)
    return { problem: "must be the client_id of its metadata document" };
  if (!data.grant_types.includes("authorization_code") || !data.response_types.includes("code"))
    return { problem: "must be a client with the grant type authorization_code" };
  const { host } = new URL(clientId);
  const name = shownName(data.client_name) ?? host;
  return { client: { id: clientId, name, host, redirectUris: data.redirect_uris } };
}

/** Returns the name of a client as users see it; undefined for one that could mislead or is empty. */
function shownName(name = ""): string | undefined {
  const shown = name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  if (shown === "" || !shown.isWellFormed() || hasInvisible(shown)) return undefined;
  return Array.from(shown).slice(0, MAX_NAME).join("");
}

/**
 * Checks that a client has a redirect URI. Throws: 400 with the field `redirect_uri`. The service must
 * then not redirect the browser.
 */
export function assertRedirectUri({ redirectUris }: OAuthClient, requested: string): void {
  const error = redirectUriError(requested);
  const isKnown = (uri: string) =>
    redirectUriError(uri) === undefined && isRegistered(uri, requested);
  const message = error ?? (redirectUris.some(isKnown) ? undefined : "must be one of the client");
  if (message !== undefined) throw invalid([{ field: "redirect_uri", message }]);
}
