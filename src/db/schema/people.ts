import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Role } from "@feature-flags/permissions/permissions";
import type { ProviderType } from "../../core/sign-on/provider.ts";
import { flag, id, time, version } from "./columns.ts";
import { environments, flags, projects } from "./projects.ts";

export type UserStatus = "INVITED" | "ACTIVE" | "DISABLED";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** The e-mail address in lower case, so that addresses that differ only in case belong to one user. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    role: text("role").$type<Role>().notNull(),
    status: text("status").$type<UserStatus>().notNull(),
    passwordHash: text("password_hash"),
    /** Whether an administrator may sign in with a password while passwords are turned off. */
    breakGlass: flag("break_glass").notNull().default(false),
    avatar: text("avatar"),
    locale: text("locale").notNull().default("en"),
    version: version(),
    createdAt: time("created_at").notNull(),
    lastActiveAt: time("last_active_at"),
  },
  (t) => [
    check("users_role", sql`${t.role} IN ('ADMIN', 'DEVELOPER', 'VIEWER')`),
    check("users_status", sql`${t.status} IN ('INVITED', 'ACTIVE', 'DISABLED')`),
  ],
);

/**
 * The owners of flags: the users who are responsible for a flag. The deletion of a user deletes these rows.
 */
export const flagOwners = sqliteTable(
  "flag_owners",
  {
    flagId: integer("flag_id")
      .notNull()
      .references(() => flags.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.userId] }),
    index("flag_owners_user").on(t.userId, t.flagId),
  ],
);

/**
 * The users who may write to an environment whose `memberAccess` is `list`, and those who may approve
 * changes there.
 */
export const environmentMembers = sqliteTable(
  "environment_members",
  {
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    canWrite: flag("can_write").notNull(),
    canApprove: flag("can_approve").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.userId] }),
    index("environment_members_user").on(t.userId),
  ],
);

/** The roles of users in projects (docs/build/decisions.md, 3.15). */
export const projectMembers = sqliteTable(
  "project_members",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>().notNull(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.userId] }),
    index("project_members_user").on(t.userId),
    check("project_members_role", sql`${t.role} IN ('ADMIN', 'DEVELOPER', 'VIEWER')`),
  ],
);

/** How a user signs in without an identity provider. */
export type LocalMethod = "password" | "passkey";

/** How a session began: with a password or a passkey, or at an identity provider of this type. */
type SessionMethod = LocalMethod | ProviderType;

/**
 * The sessions of all users. A session without a row has ended: its access tokens and its refresh
 * tokens are rejected. The refresh tokens of a session are in a Durable Object.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The project that the user has selected in the session; null if none is selected. */
    projectId: integer("project_id").references(() => projects.id, { onDelete: "set null" }),
    userAgent: text("user_agent"),
    ip: text("ip"),
    createdAt: time("created_at").notNull(),
    /** The time of the sign-in or of a later refresh, at most a day before the last refresh. */
    refreshedAt: time("refreshed_at").notNull(),
    /**
     * The time when a refresh token was used twice, which ended the session. The row stays, so that
     * the session's refresh tokens still return TOKEN_REUSE.
     */
    reusedAt: time("reused_at"),
    /** How the user signed in. Null: with a password, in a release without sign-on. */
    method: text("method").$type<SessionMethod>(),
    /** The issuer of the identity with which the user signed in; null without a provider. */
    issuer: text("issuer"),
    /** The id of the session at the identity provider (`sid`), for a back-channel logout. */
    idpSession: text("idp_session"),
    /** Whether the sign-in had a second factor. */
    mfa: flag("mfa").notNull().default(false),
    /** When the session ends even if it is refreshed; null: only the idle timeout applies. */
    endsAt: time("ends_at"),
    /** When the identity provider last confirmed the user for a change of the account. */
    confirmedAt: time("confirmed_at"),
  },
  (t) => [
    index("sessions_user").on(t.userId),
    index("sessions_issuer").on(t.issuer, t.idpSession),
    index("sessions_ends").on(t.endsAt),
    index("sessions_project").on(t.projectId),
    index("sessions_refreshed").on(t.refreshedAt),
  ],
);

export type TokenPurpose = "INVITE" | "RESET";

/** The single-use tokens of the links in invitation and password-reset e-mails. */
export const userTokens = sqliteTable(
  "user_tokens",
  {
    /** The SHA-256 hash of the token in base64url. */
    hash: text("hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose").$type<TokenPurpose>().notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (t) => [
    index("user_tokens_user").on(t.userId),
    check("user_tokens_purpose", sql`${t.purpose} IN ('INVITE', 'RESET')`),
  ],
);

/**
 * The second factor of each user. While `confirmedAt` is null, the user is still setting up the
 * second factor, and a login needs no code.
 */
export const userMfa = sqliteTable("user_mfa", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The secret of the time-based one-time passwords (TOTP, RFC 6238), encrypted. */
  secret: text("secret").notNull(),
  confirmedAt: time("confirmed_at"),
  /** The TOTP time step of the last accepted code. A code of this or an earlier time step is rejected. */
  lastStep: integer("last_step").notNull().default(0),
  failedAttempts: integer("failed_attempts").notNull().default(0),
  lockedUntil: time("locked_until"),
  createdAt: time("created_at").notNull(),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => userMfa.userId, { onDelete: "cascade" }),
    /** The SHA-256 hash of the recovery code in base64url. */
    hash: text("hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
);

/** The number of wrong passwords in a row for each e-mail address, whether or not a user has that address. */
export const loginFailures = sqliteTable(
  "login_failures",
  {
    /** The keyed hash (HMAC-SHA-256) of the normalized e-mail address, in base64url. */
    emailHash: text("email_hash").primaryKey(),
    failures: integer("failures").notNull(),
    lockedUntil: time("locked_until"),
    lastAt: time("last_at").notNull(),
  },
  (t) => [index("login_failures_last").on(t.lastAt)],
);

/**
 * The settings of the service. The table has at most one row, with id 1. If the table has no row,
 * the defaults apply.
 */
export const settings = sqliteTable(
  "settings",
  {
    id: integer("id").primaryKey(),
    requireMfa: flag("require_mfa").notNull().default(false),
    /**
     * The time when `requireMfa` was turned on, which starts the grace period for setting up a second factor.
     */
    requireMfaSince: time("require_mfa_since"),
    sessionTimeoutHours: integer("session_timeout_hours").notNull().default(720),
    /** Who may sign in with a password: everyone, or only administrators with `breakGlass`. */
    passwordSignIn: text("password_sign_in")
      .$type<"everyone" | "breakGlass">()
      .notNull()
      .default("everyone"),
    version: version(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    check("settings_one_row", sql`${t.id} = 1`),
    check("settings_timeout", sql`${t.sessionTimeoutHours} BETWEEN 1 AND 720`),
  ],
);
