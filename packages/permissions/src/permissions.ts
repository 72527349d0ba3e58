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
  /**
   * Whether the permission belongs to the organisation: a role in a project does not give it. Default:
   * false.
   */
  readonly ofOrganisation?: true;
}

export const PERMISSIONS = {
  "project:read": { role: "VIEWER", keys: ["SERVER"] },
  "project:create": { role: "ADMIN", keys: [], ofOrganisation: true },
  /** Permits changing the settings and the visibility of a project, and deleting it. */
  "project:write": { role: "ADMIN", keys: [] },
  "member:read": { role: "VIEWER", keys: [] },
  /** Permits giving users a role in a project. */
  "member:write": { role: "ADMIN", keys: [] },
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
  "user:read-names": { role: "VIEWER", keys: [], ofOrganisation: true },
  "user:read": { role: "ADMIN", keys: [], ofOrganisation: true },
  "user:write": { role: "ADMIN", keys: [], ofOrganisation: true },
  "settings:read": { role: "ADMIN", keys: [], ofOrganisation: true },
  "settings:write": { role: "ADMIN", keys: [], ofOrganisation: true },
  "audit:read": { role: "VIEWER", keys: ["SERVER"] },
  /** Also permits reading the audit records of security events, users and settings. */
  "audit:read-all": { role: "ADMIN", keys: [], ofOrganisation: true },
  "session:own": { role: "VIEWER", keys: [], ofOrganisation: true },
  "rules:read": { role: null, keys: ["SERVER"] },
  "rules:evaluate": { role: null, keys: ["SERVER", "FRONTEND"] },
  "usage:report": { role: null, keys: ["SERVER", "FRONTEND"] },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

/** A permission that a role in a project does not give. */
export type OrganisationPermission = {
  [P in Permission]: (typeof PERMISSIONS)[P] extends { ofOrganisation: true } ? P : never;
}[Permission];

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
  /** The role in the organisation, which applies in every project. */
  readonly role: Role;
  /** The roles in projects of which the user is a member, by the id of the project. */
  readonly projectRoles: ReadonlyMap<number, Role>;
  /** The projects of whose existence the user must not learn. */
  readonly hiddenProjects: ReadonlySet<number>;
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

/** Returns the higher of two roles. */
const higher = (role: Role, other: Role | undefined): Role =>
  other !== undefined && roleIncludes(other, role) ? other : role;

/** Returns the role of a user in a project: the higher of the roles in the organisation and there. */
export const roleIn = ({ role, projectRoles }: ProjectRoles, projectId: number): Role =>
  higher(role, projectRoles.get(projectId));

type ProjectRoles = Pick<UserActor, "role" | "projectRoles">;

/** Whether the actor must not learn that a project exists. */
export const isHidden = (actor: Actor, projectId: number): boolean =>
  actor.kind === "user" && actor.hiddenProjects.has(projectId);

/**
 * Whether the actor has the permission in a project, or without `projectId` in the organisation.
 * Other code checks whether an API key belongs to the project or environment.
 */
export const allows = (actor: Actor, permission: Permission, projectId?: number): boolean =>
  grants(actor, permission, (user) =>
    projectId === undefined ? user.role : roleIn(user, projectId),
  );

/** Whether the actor has the permission in the organisation or in at least one project. */
export const allowsSomewhere = (actor: Actor, permission: Permission): boolean =>
  grants(actor, permission, ({ role, projectRoles }) =>
    [...projectRoles.values()].reduce(higher, role),
  );

/** `roleOf` returns the role that counts for a permission that does not belong to the organisation. */
function grants(actor: Actor, permission: Permission, roleOf: (user: UserActor) => Role): boolean {
  const grant: Grant = PERMISSIONS[permission];
  if (actor.kind === "system") return true;
  if (actor.kind === "key")
    return grant.keys.includes(actor.keyType) && (actor.canWrite || !writes(permission));
  const role = grant.ofOrganisation ? actor.role : roleOf(actor);
  return grant.role !== null && roleIncludes(role, grant.role);
}
