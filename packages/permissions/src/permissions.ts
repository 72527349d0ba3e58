/**
 * The permissions of roles and key types (docs/build/decisions.md, 3.2 and 3.4). No other file says
 * which role or key type has a permission.
 */

/** The roles, each with the permissions of those before it. */
export const ROLES = ["VIEWER", "DEVELOPER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role has all permissions of another role. */
export const roleIncludes = (role: Role, other: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(other);

export const KEY_TYPES = ["SERVER", "FRONTEND"] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/**
 * The scopes of tokens. `write` and `admin` include `read`. No other scope includes another: to approve
 * changes, a token that writes needs `approve`, too.
 */
export const SCOPES = ["read", "write", "approve", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

interface Grant {
  /** The lowest role with the permission. Null if no role has the permission. */
  readonly role: Role | null;
  /** The scope with which a token has the permission of its owner. Null: no token has it. */
  readonly scope: Scope | null;
  readonly keys: readonly KeyType[];
  /**
   * Whether the permission belongs to the organisation: a role in a project does not give it. Default:
   * false.
   */
  readonly ofOrganisation?: true;
  /** Whether only people have the permission, and no service account. Default: false. */
  readonly ofPeople?: true;
  /**
   * Whether a token that is limited to environments has the permission, although the permission
   * writes. Other code checks the environments. Default: false.
   */
  readonly inEnvironments?: true;
}

export const PERMISSIONS = {
  "project:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "project:create": { role: "ADMIN", scope: "admin", keys: [], ofOrganisation: true },
  /** Permits changing the settings and the visibility of a project, and deleting it. */
  "project:write": { role: "ADMIN", scope: "admin", keys: [] },
  /** Permits reading a project as a file, and planning the changes that a file makes. */
  "project:export": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  /** Permits applying a file. Each change also needs the permission of its own verb. */
  "project:apply": { role: "DEVELOPER", scope: "write", keys: [], inEnvironments: true },
  "member:read": { role: "VIEWER", scope: "read", keys: [] },
  /** Permits giving users a role in a project. */
  "member:write": { role: "ADMIN", scope: "admin", keys: [] },
  "environment:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "environment:write": { role: "ADMIN", scope: "admin", keys: [] },
  /** Permits changing the protection of an environment, and the list of its members. */
  "protection:write": { role: "ADMIN", scope: "admin", keys: [] },
  /** Permits a change of a protected environment without approval, with a reason. */
  "protection:bypass": { role: "ADMIN", scope: "admin", keys: [], ofPeople: true },
  "change-request:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "change-request:write": {
    role: "DEVELOPER",
    scope: "write",
    keys: ["SERVER"],
    inEnvironments: true,
  },
  /** Permits approving and rejecting the change requests of others. */
  "change-request:review": { role: "DEVELOPER", scope: "approve", keys: [], ofPeople: true },
  "flag:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "flag:write": { role: "DEVELOPER", scope: "write", keys: [], inEnvironments: true },
  "shared-filter:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  /** Permits changing the filters of the list of flags that a project shares. */
  "shared-filter:write": { role: "DEVELOPER", scope: "write", keys: [] },
  "strategy:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "strategy:write": { role: "DEVELOPER", scope: "write", keys: ["SERVER"], inEnvironments: true },
  "segment:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "segment:write": { role: "DEVELOPER", scope: "write", keys: [] },
  "tag:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "tag:write": { role: "DEVELOPER", scope: "write", keys: [] },
  "context:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "context:write": { role: "DEVELOPER", scope: "write", keys: [] },
  "api-key:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "api-key:write": { role: "ADMIN", scope: "admin", keys: [] },
  "integration:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  "integration:write": { role: "ADMIN", scope: "admin", keys: [] },
  "metrics:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  /** Permits reading the names of users, for example as owners of flags. */
  "user:read-names": {
    role: "VIEWER",
    scope: "read",
    keys: [],
    ofOrganisation: true,
    ofPeople: true,
  },
  "user:read": { role: "ADMIN", scope: "read", keys: [], ofOrganisation: true },
  "user:write": { role: "ADMIN", scope: "admin", keys: [], ofOrganisation: true },
  "settings:read": { role: "ADMIN", scope: "read", keys: [], ofOrganisation: true },
  "settings:write": { role: "ADMIN", scope: "admin", keys: [], ofOrganisation: true },
  "audit:read": { role: "VIEWER", scope: "read", keys: ["SERVER"] },
  /** Also permits reading the audit records of security events, users and settings. */
  "audit:read-all": { role: "ADMIN", scope: "read", keys: [], ofOrganisation: true },
  /** Permits creating, listing and revoking personal tokens. */
  "token:own": { role: "VIEWER", scope: null, keys: [], ofOrganisation: true, ofPeople: true },
  /** Permits reading what the token of the request may do. */
  "token:read": { role: "VIEWER", scope: "read", keys: [] },
  /** Permits reading service accounts. */
  "service-account:read": { role: "ADMIN", scope: "read", keys: [] },
  /** Permits changing service accounts, and creating and revoking their tokens. */
  "service-account:write": { role: "ADMIN", scope: null, keys: [], ofPeople: true },
  "session:own": { role: "VIEWER", scope: null, keys: [], ofOrganisation: true, ofPeople: true },
  "rules:read": { role: null, scope: null, keys: ["SERVER"] },
  "rules:evaluate": { role: null, scope: null, keys: ["SERVER", "FRONTEND"] },
  "usage:report": { role: null, scope: null, keys: ["SERVER", "FRONTEND"] },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

/** A permission that a role in a project does not give. */
export type OrganisationPermission = {
  [P in Permission]: (typeof PERMISSIONS)[P] extends { ofOrganisation: true } ? P : never;
}[Permission];

/**
 * Who calls the API: a person with an access token or a personal token, a service account with a token,
 * or a machine with an API key.
 */
export type Caller = TokenOwner | KeyActor;

/** The actor of a change in the audit trail: a caller, or the service itself. */
export type Actor = Caller | SystemActor;

/** An actor with roles, who can have tokens. */
export type TokenOwner = UserActor | ServiceActor;

/** The service itself as an actor, for example in a cron job. */
export interface SystemActor {
  readonly kind: "system";
  readonly name: string;
  /** Undefined, because the service itself has no selected project. */
  readonly projectId?: undefined;
}

/** What limits the rights of an actor who calls with a token, in addition to the roles. */
export interface ActorToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The only projects that the token sees. Null: all of its owner. */
  readonly projectIds: readonly number[] | null;
  /**
   * The only environments in which the token writes strategies. Of everything else, such a token only
   * creates flags. Null: no such limit.
   */
  readonly environmentIds: readonly number[] | null;
  /** What names the OAuth client to which the token was given. Undefined: no client, or no OAuth. */
  readonly client?: string | undefined;
}

interface Roles {
  /** The role in the organisation, which applies in every project. */
  readonly role: Role;
  /** The roles in projects of which the actor is a member, by the id of the project. */
  readonly projectRoles: ReadonlyMap<number, Role>;
  /** The projects of whose existence the actor must not learn. */
  readonly hiddenProjects: ReadonlySet<number>;
  /** The token with which the actor calls. Absent in a session, and in a planned change. */
  readonly token?: ActorToken | undefined;
}

export interface UserActor extends Roles {
  readonly kind: "user";
  readonly id: number;
  readonly email: string;
  /**
   * The id of the session's refresh family (the refresh tokens of one session). Absent in a token
   * that no login issued.
   */
  readonly sessionId: string | undefined;
  /** The project that is selected in the session, or the only project of the token. */
  readonly projectId: number | undefined;
  /**
   * Whether the user has missed the deadline for setting up a required second factor. The user may
   * then access only their own account.
   */
  readonly mfaOverdue: boolean;
}

export interface ServiceActor extends Roles {
  readonly kind: "service-account";
  readonly id: number;
  readonly name: string;
  /** The only project that the service account sees. Undefined: all but the hidden ones. */
  readonly ownProject: number | undefined;
  /** The only project of the service account or of its token. */
  readonly projectId: number | undefined;
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

/** Returns the role of an actor in a project: the higher of the roles in the organisation and there. */
export const roleIn = (
  { role, projectRoles }: Pick<Roles, "role" | "projectRoles">,
  projectId: number,
): Role => higher(role, projectRoles.get(projectId));

/** Whether the actor has roles, as users and service accounts have. */
const hasRoles = (actor: Actor): actor is TokenOwner =>
  actor.kind === "user" || actor.kind === "service-account";

/** Returns the limits of the token with which an actor calls; undefined without a token. */
export const tokenOf = (actor: Actor): ActorToken | undefined =>
  hasRoles(actor) ? actor.token : undefined;

/**
 * Returns the only projects that the actor sees: those of its token, or that of the service account.
 * Undefined: the actor is not limited in this way.
 */
export function onlyProjects(actor: Actor): readonly number[] | undefined {
  const listed = tokenOf(actor)?.projectIds ?? undefined;
  const own = actor.kind === "service-account" ? actor.ownProject : undefined;
  if (own === undefined) return listed;
  return listed === undefined || listed.includes(own) ? [own] : [];
}

/** Whether the actor must not learn that a project exists. */
export const isHidden = (actor: Actor, projectId: number): boolean =>
  hasRoles(actor) &&
  (actor.hiddenProjects.has(projectId) || onlyProjects(actor)?.includes(projectId) === false);

/**
 * Whether the actor has the permission in a project, or without `projectId` in the organisation.
 * Other code checks whether an API key belongs to the project or environment.
 */
export const allows = (actor: Actor, permission: Permission, projectId?: number): boolean =>
  grants(actor, permission, (owner) =>
    projectId === undefined ? owner.role : roleIn(owner, projectId),
  );

/** Whether the actor has the permission in the organisation or in at least one project. */
export const allowsSomewhere = (actor: Actor, permission: Permission): boolean =>
  grants(actor, permission, (owner) =>
    (onlyProjects(owner) ?? [...owner.projectRoles.keys()])
      .map((id) => roleIn(owner, id))
      .reduce(higher, owner.role),
  );

/** `roleOf` returns the role that counts for a permission that does not belong to the organisation. */
function grants(
  actor: Actor,
  permission: Permission,
  roleOf: (owner: TokenOwner) => Role,
): boolean {
  const grant: Grant = PERMISSIONS[permission];
  if (actor.kind === "system") return true;
  if (actor.kind === "key")
    return grant.keys.includes(actor.keyType) && (actor.canWrite || !writes(permission));
  if (grant.ofPeople && actor.kind !== "user") return false;
  // Who sees only some projects has no rights in the organisation, which would show the others.
  if (grant.ofOrganisation && onlyProjects(actor)) return false;
  if (actor.token && !isInScope(actor.token, grant)) return false;
  const role = grant.ofOrganisation ? actor.role : roleOf(actor);
  return grant.role !== null && roleIncludes(role, grant.role);
}

/** Whether the scopes and the environments of a token allow a permission. */
function isInScope({ scopes, environmentIds }: ActorToken, { scope, inEnvironments }: Grant) {
  if (scope === null) return false;
  if (scope === "read") return scopes.some((one) => one !== "approve");
  return scopes.includes(scope) && (environmentIds === null || inEnvironments === true);
}
