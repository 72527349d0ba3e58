import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Role, Scope } from "@feature-flags/permissions/permissions";
import { id, time, version } from "./columns.ts";
import { users } from "./people.ts";
import { projects } from "./projects.ts";

/** The accounts of machines (docs/build/decisions.md, 3.23), which call the API with tokens. */
export const serviceAccounts = sqliteTable(
  "service_accounts",
  {
    id: id(),
    name: text("name").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** The only project that the account sees. Null: the role applies in the organisation. */
    projectId: integer("project_id").references(() => projects.id, { onDelete: "cascade" }),
    /** The id of the user who has made the account, who may not approve what the account proposes. */
    createdBy: integer("created_by"),
    version: version(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [
    index("service_accounts_project").on(t.projectId),
    check("service_accounts_role", sql`${t.role} IN ('ADMIN', 'DEVELOPER', 'VIEWER')`),
  ],
);

/**
 * The tokens of users and service accounts. The row of a revoked token stays until `sweep` deletes it,
 * so that later uses of the token can be audited. A token without an owner counts as revoked: the
 * deletion of the owner has removed the id.
 */
export const accessTokens = sqliteTable(
  "access_tokens",
  {
    id: id(),
    name: text("name").notNull(),
    /** The SHA-256 hash of the token in base64url. The token itself is never stored. */
    hash: text("hash").notNull().unique(),
    /** The last four characters of the token, by which users recognise the token. */
    preview: text("preview").notNull(),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    serviceAccountId: integer("service_account_id").references(() => serviceAccounts.id, {
      onDelete: "set null",
    }),
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>().notNull(),
    /** The only projects that the token sees. Null: all of its owner. */
    projectIds: text("project_ids", { mode: "json" }).$type<readonly number[]>(),
    /** The only environments in which the token writes strategies. Null: no such limit. */
    environmentIds: text("environment_ids", { mode: "json" }).$type<readonly number[]>(),
    /** The id of the user who has made the token, who gets the e-mail before it expires. */
    createdBy: integer("created_by").notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    /** The time of the last use, at most ten minutes old while the token is in use. */
    lastUsedAt: time("last_used_at"),
    revokedAt: time("revoked_at"),
    /** The time of the last audit record about the use of the revoked token. */
    reportedAt: time("reported_at"),
    /** The time of the e-mail that the token will expire. */
    remindedAt: time("reminded_at"),
    /**
     * The id of the OAuth client to which a user has given the token (docs/use/oauth.md). Null: a
     * personal token, or one of a service account. The row of such a grant stays, and each refresh
     * replaces the hash and `expiresAt`.
     */
    clientId: text("client_id"),
    /** The id of the refresh family of the grant. */
    familyId: text("family_id").unique(),
    /** When the current refresh token of the grant expires. */
    refreshUntil: time("refresh_until"),
  },
  (t) => [
    index("access_tokens_user").on(t.userId),
    index("access_tokens_service_account").on(t.serviceAccountId),
    index("access_tokens_expires").on(t.expiresAt),
  ],
);

/**
 * The logins on devices that wait for a decision of a user in a browser, and the decisions (RFC 8628).
 * A row is deleted when the device takes its token, or after it has expired.
 */
export const deviceLogins = sqliteTable(
  "device_logins",
  {
    id: id(),
    /** The SHA-256 hash of the device code in base64url, by which the device asks for its token. */
    deviceHash: text("device_hash").notNull().unique(),
    /** The HMAC of the user code, which is too short for a plain hash. */
    userCodeHash: text("user_code_hash").notNull().unique(),
    clientName: text("client_name").notNull(),
    /** The address and the user agent of the request that began the login. */
    ip: text("ip"),
    userAgent: text("user_agent"),
    /** The network of the address, which may have a limited number of logins at a time. */
    network: text("network"),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    /** The time of the last poll that was not too early. */
    polledAt: time("polled_at"),
    /** `denied` without a user: the service has given the login up, because too many were open. */
    decision: text("decision").$type<"approved" | "denied">(),
    /** The user who has decided, to whom the token will belong; before a decision, who has opened the login. */
    decidedBy: integer("decided_by").references(() => users.id, { onDelete: "cascade" }),
    /** What the token may do. Only of an approved login. */
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>(),
    projectIds: text("project_ids", { mode: "json" }).$type<readonly number[]>(),
    environmentIds: text("environment_ids", { mode: "json" }).$type<readonly number[]>(),
  },
  (t) => [
    index("device_logins_user").on(t.decidedBy),
    index("device_logins_network").on(t.network, t.expiresAt),
    index("device_logins_expires").on(t.expiresAt),
    check("device_logins_decision", sql`${t.decision} IN ('approved', 'denied')`),
  ],
);
