import { notFound } from "../../core/errors/api-error.ts";
import { randomToken } from "../../core/lib/digest.ts";
import type { AuditEntry } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import * as queries from "../../model/oauth/queries.ts";
import type { ClientRow } from "../../model/oauth/queries.ts";

/** The most registered clients: more programs than an organisation uses. */
const MAX_CLIENTS = 100;

const missing = () => notFound("The client does not exist");

export const listClients = (call: Call): Promise<ClientRow[]> =>
  queries.listClients(reads(call, "settings:read").db);

/**
 * Registers a client, for a program that publishes no metadata document. The client gets an id and no
 * secret. Throws: 402 if there are too many clients.
 */
export async function createClient(
  call: Call,
  input: { readonly name: string; readonly redirectUris: readonly string[] },
): Promise<ClientRow> {
  const ctx = writes(call, "settings:write", { projectId: null });
  const clientId = `ffclient_${randomToken(12)}`;
  const content = { clientId, name: input.name, redirectUris: input.redirectUris };
  await ctx.commit({
    guards: [belowLimit(queries.countClients, MAX_CLIENTS, "OAuth clients")],
    statements: [queries.insertClient({ ...content, createdAt: ctx.now() })],
    audit: [{ ...aboutClient("created", queries.clientIdOf(clientId)), after: content }],
  });
  const created = await queries.findClient(ctx.db, clientId);
  if (!created) throw missing();
  return created;
}

/** Deletes a registered client, and ends the access that users have given to it. Throws: 404. */
export async function deleteClient(call: Call, { id }: ById): Promise<void> {
  const ctx = writes(call, "settings:write", { projectId: null });
  const client = await queries.findClientById(ctx.db, id);
  if (!client) throw missing();
  const { clientId, name, redirectUris } = client;
  await ctx.commit({
    guards: [{ holds: queries.clientExists(id), error: missing() }],
    statements: queries.deleteClient(client, ctx.now()),
    audit: [{ ...aboutClient("deleted", id), before: { clientId, name, redirectUris } }],
  });
}

const aboutClient = (
  what: "created" | "deleted",
  entityId: AuditEntry["entityId"],
): AuditEntry => ({
  action: `oauth-client.${what}`,
  category: "security",
  entityType: "oauth-client",
  entityId,
});
