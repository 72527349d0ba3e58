import { type SQL, sql } from "drizzle-orm";
import { type Actor, tokenOf } from "@feature-flags/permissions/permissions";

/**
 * Condition: the user of a row of `users` is the actor, or has made the service account and its token
 * that call, or the API key that calls.
 */
export const isBehind = (actor: Actor): SQL => {
  const user = actor.kind === "user" ? actor.id : null;
  const key = actor.kind === "key" ? actor.id : null;
  const account = actor.kind === "service-account" ? actor.id : null;
  return sql`(id = ${user} OR id = (SELECT created_by FROM api_keys WHERE id = ${key})
    OR id = (SELECT account_created_by FROM api_keys WHERE id = ${key})
    OR id = (SELECT created_by FROM service_accounts WHERE id = ${account})
    OR id = (SELECT created_by FROM access_tokens WHERE id = ${tokenOf(actor)?.id ?? null}))`;
};

/** Adds the users behind an actor to those who may not approve. */
export const addAuthor = (requestId: SQL, actor: Actor): SQL =>
  sql`INSERT OR IGNORE INTO change_request_authors (request_id, user_id)
    SELECT ${requestId}, id FROM users WHERE ${isBehind(actor)}`;

/** Condition: the user is no author of the request. */
export const isNoAuthor = (requestId: number, userId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM change_request_authors
    WHERE request_id = ${requestId} AND user_id = ${userId})`;
