/**
 * The permissions of roles and key types (docs/decisions.md, 3.2 and 3.4). No other file says which
 * role or key type has a permission.
 */

/** The roles, each with the permissions of those before it. */
export const ROLES = ["VIEWER", "DEVELOPER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role has all permissions of another role. */
export const roleIncludes = (role: Role, other: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(other);

export const KEY_TYPES = ["SERVER", "FRONTEND"] as const;
export type KeyType = (typeof KEY_TYPES)[number];

interface Grant {
  /** The lowest role with the permission. Null if no role has the permission. */
  readonly role: Role | null;
  readonly keys: readonly KeyType[];
}

export const PERMISSIONS = {
  "project:read": { role: "VIEWER", keys: ["SERVER"] },
  "project:write": { role: "ADMIN", keys: [] },
  "environment:read": { role: "VIEWER", keys: ["SERVER"] },
  "environment:write": { role: "ADMIN", keys: [] },
  /** Permits changing the protection of an environment, and the list of its members. */
  "protection:write": { role: "ADMIN", keys: [] },
  /** Permits a change of a protected environment without approval, with a reason. */
  "protection:bypass": { role: "ADMIN", keys: [] },
  "change-request:read": { role: "VIEWER", keys: ["SERVER"] },
  "change-request:write": { role: "DEVELOPER", keys: ["SERVER"] },
  /** Permits approving and rejecting the change requests of others. */
  "change-request:review": { role: "DEVELOPER", keys: [] },
  "flag:read": { role: "VIEWER", keys: ["SERVER"] },
  "flag:write": { role: "DEVELOPER", keys: [] },
  "strategy:read": { role: "VIEWER", keys: ["SERVER"] },
  "strategy:write": { role: "DEVELOPER", keys: ["SERVER"] },
  "segment:read": { role: "VIEWER", keys: ["SERVER"] },
  "segment:write": { role: "DEVELOPER", keys: [] },
  "tag:read": { role: "VIEWER", keys: ["SERVER"] },
  "tag:write": { role: "DEVELOPER", keys: [] },
  "context:read": { role: "VIEWER", keys: ["SERVER"] },
  "context:write": { role: "DEVELOPER", keys: [] },
  "api-key:read": { role: "VIEWER", keys: ["SERVER"] },
  "api-key:write": { role: "ADMIN", keys: [] },
  "integration:read": { role: "VIEWER", keys: ["SERVER"] },
  "integration:write": { role: "ADMIN", keys: [] },
  "metrics:read": { role: "VIEWER", keys: ["SERVER"] },
  /** Permits reading the names of users, for example as owners of flags. */
  "user:read-names": { role: "VIEWER", keys: [] },
  "user:read": { role: "ADMIN", keys: [] },
  "user:write": { role: "ADMIN", keys: [] },
  "settings:read": { role: "ADMIN", keys: [] },
  "settings:write": { role: "ADMIN", keys: [] },
  "audit:read": { role: "VIEWER", keys: ["SERVER"] },
  /** Also permits reading the audit records of security events, users and settings. */
  "audit:read-all": { role: "ADMIN", keys: [] },
  "session:own": { role: "VIEWER", keys: [] },
  "rules:read": { role: null, keys: ["SERVER"] },
  "rules:evaluate": { role: null, keys: ["SERVER", "FRONTEND"] },
  "usage:report": { role: null, keys: ["SERVER", "FRONTEND"] },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

/** Who calls the API: a person signed in with a JWT, or a machine with an API key. */
export type Caller = UserActor | KeyActor;

/** The actor of a change in the audit trail: a caller, or the service itself. */
export type Actor = Caller | SystemActor;

/** The service itself as an actor, for example in a cron job. */
export interface SystemActor {
  readonly kind: "system";
  readonly name: string;
  /** Undefined, because the service itself has no selected project. */
  readonly projectId?: undefined;
}

export interface UserActor {
  readonly kind: "user";
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  /**
   * The id of the session's refresh family (the refresh tokens of one session). Absent in a token
   * that no login issued.
   */
  readonly sessionId: string | undefined;
  /** The project that is selected in the session. */
  readonly projectId: number | undefined;
  /**
   * Whether the user has missed the deadline for setting up a required second factor. The user may
   * then access only their own account.
   */
  readonly mfaOverdue: boolean;
}

interface KeyActor {
  readonly kind: "key";
  readonly id: number;
  readonly name: string;
  readonly keyType: KeyType;
  /** Whether the key has the permissions that write, besides those that read. */
  readonly canWrite: boolean;
  readonly environmentId: number;
  readonly projectId: number;
}

/** Whether the permission changes something that users manage. */
const writes = (permission: Permission): boolean => permission.endsWith(":write");

/**
 * Whether the actor has the permission. Other code checks whether the resource is in the actor's
 * project or environment.
 */
export function allows(actor: Actor, permission: Permission): boolean {
  const grant: Grant = PERMISSIONS[permission];
  if (actor.kind === "system") return true;
  if (actor.kind === "key")
    return grant.keys.includes(actor.keyType) && (actor.canWrite || !writes(permission));
  return grant.role !== null && roleIncludes(actor.role, grant.role);
}
