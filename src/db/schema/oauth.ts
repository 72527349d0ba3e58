import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "@feature-flags/permissions/permissions";
import { id, time } from "./columns.ts";
import { users } from "./people.ts";

/** The OAuth clients that an administrator has registered. Other clients publish a metadata document. */
export const oauthClients = sqliteTable("oauth_clients", {
  id: id(),
  /** The id that the client sends. */
  clientId: text("client_id").notNull().unique(),
  name: text("name").notNull(),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<readonly string[]>().notNull(),
  createdAt: time("created_at").notNull(),
});

/**
 * The authorisation codes of OAuth. A row stays for a day after the code has expired, so that a code that
 * is sent again ends its grant.
 */
export const oauthCodes = sqliteTable(
  "oauth_codes",
  {
    /** The SHA-256 hash of the code in base64url. */
    hash: text("hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    clientName: text("client_name").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** The code challenge of PKCE: the SHA-256 hash of the verifier in base64url. */
    challenge: text("challenge").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>().notNull(),
    projectIds: text("project_ids", { mode: "json" }).$type<readonly number[]>(),
    environmentIds: text("environment_ids", { mode: "json" }).$type<readonly number[]>(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    /** The refresh family of the grant that the code was exchanged for. Null: the code is unused. */
    familyId: text("family_id"),
  },
  (t) => [
    index("oauth_codes_user").on(t.userId, t.expiresAt),
    index("oauth_codes_expires").on(t.expiresAt),
  ],
);
