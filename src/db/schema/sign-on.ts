import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import type { GroupRole, Provider, ProviderType } from "../../core/sign-on/provider.ts";
import { flag, id, time, version } from "./columns.ts";
import { users } from "./people.ts";

export const identityProviders = sqliteTable(
  "identity_providers",
  {
    id: id(),
    slug: text("slug").notNull().unique(),
    name: text("name").notNull(),
    type: text("type").$type<ProviderType>().notNull(),
    enabled: flag("enabled").notNull(),
    issuer: text("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** The client secret, encrypted; null if the provider has none. */
    secret: text("secret"),
    domains: text("domains", { mode: "json" }).$type<readonly string[]>().notNull(),
    provisioning: text("provisioning").$type<Provider["provisioning"]>().notNull(),
    secondFactor: text("second_factor").$type<Provider["secondFactor"]>().notNull(),
    defaultRole: text("default_role").$type<Provider["defaultRole"]>(),
    groupClaim: text("group_claim"),
    roles: text("roles", { mode: "json" }).$type<readonly GroupRole[]>().notNull(),
    linkByEmail: flag("link_by_email").notNull(),
    sessionHours: integer("session_hours").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    check("identity_providers_type", sql`${t.type} IN ('oidc', 'github', 'access')`),
    check("identity_providers_hours", sql`${t.sessionHours} BETWEEN 1 AND 720`),
  ],
);

/**
 * The accounts at identity providers with which users sign in. They outlive the provider's row, so
 * that a provider that is added again recognises its users.
 */
export const identities = sqliteTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    /** The id of the account at the provider, which the provider gives to nobody else. */
    subject: text("subject").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The e-mail address of the account at the last sign-in, for people to recognise it. */
    email: text("email"),
    createdAt: time("created_at").notNull(),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    unique("identities_user").on(t.userId, t.issuer),
  ],
);

/**
 * What may be used only once: the codes that complete a sign-in, and the ids of logout tokens that
 * were used. A row is deleted when its code is used, or after it has expired.
 */
export const signOnCodes = sqliteTable(
  "sign_on_codes",
  {
    /** The SHA-256 hash in base64url. */
    hash: text("hash").primaryKey(),
    /** The user who signs in; null for a logout token. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    method: text("method").$type<ProviderType>(),
    issuer: text("issuer").notNull(),
    idpSession: text("idp_session"),
    /** Whether the provider has checked a second factor. */
    mfa: flag("mfa").notNull().default(false),
    endsAt: time("ends_at"),
    /** The path to which the dashboard goes after the sign-in. */
    returnTo: text("return_to"),
    expiresAt: time("expires_at").notNull(),
  },
  (t) => [index("sign_on_codes_user").on(t.userId), index("sign_on_codes_expires").on(t.expiresAt)],
);

/** The passkeys of users: credentials of Web Authentication, of which the service has the public key. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The id that the authenticator has chosen, base64url. */
    credentialId: text("credential_id").notNull().unique(),
    /** The public key (COSE, RFC 9052), base64url. */
    publicKey: text("public_key").notNull(),
    /** How often the passkey was used, as the authenticator counts; stays 0 if it does not count. */
    counter: integer("counter").notNull(),
    /** How the browser reaches the authenticator, such as `internal` or `usb`. */
    transports: text("transports", { mode: "json" }).$type<readonly string[]>().notNull(),
    name: text("name").notNull(),
    /** Whether the authenticator keeps copies, for example on the other devices of the user. */
    backedUp: flag("backed_up").notNull(),
    /** The id of the model of the authenticator; zeros if the browser hides it. */
    aaguid: text("aaguid").notNull(),
    createdAt: time("created_at").notNull(),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [index("passkeys_user").on(t.userId)],
);
