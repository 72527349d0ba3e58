import type {
  Actor,
  OrganisationPermission,
  Permission,
  SystemActor,
  UserActor,
} from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import { unauthorized } from "../core/errors/api-error.ts";
import type { Change, Committed } from "../db/commit.ts";
import { assertAllowed } from "../http/permission.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";
import { assertInEnvironment, assertInProject, unknownProject } from "./scope.ts";

/** The key of the field of a call that only this file can read. */
const access = Symbol("access");

/** What a call may use after `authorized` has checked its actor. */
interface Access extends Pick<ManagementDeps, "db"> {
  /** Writes one change in one transaction. The audit records of the change name the actor. */
  readonly commit: (change: Change) => Promise<Committed>;
  readonly writePreferences: ManagementDeps["writePreferences"] | undefined;
}

/**
 * What a call has of a request. All but `usage` is undefined in a job, which has no reason and
 * sends its own mails.
 */
type OfRequest = {
  readonly [K in "request" | "later" | "mailer" | "publicUrl" | "usage"]?:
    | ManagementDeps[K]
    | undefined;
};

/**
 * Who calls a verb, and when: the first argument of each verb. A route or a job makes a call. A call
 * can neither read nor write the database, so a verb must first pass it to `authorized`.
 */
export interface Call extends OfRequest {
  readonly actor: Actor;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  readonly [access]: Access;
}

/**
 * The call of a request to the management API. Only code that has no caller yet uses the other ways to
 * write.
 */
export type ManagementCall = Call &
  Omit<
    ManagementDeps,
    keyof Access | "recordRefresh" | "recordTokenUse" | "recordDeviceLogins" | "recordAgents"
  >;

/** The dependencies from which a call is made. Jobs do not write preferences. */
type CallDeps = Pick<ManagementDeps, "db" | "commit" | "now"> &
  Partial<Pick<ManagementDeps, "writePreferences">> &
  OfRequest;

/** Returns a call by `actor`: the audit records of its changes name `actor`. */
export const callBy = <D extends CallDeps, A extends Actor>(
  { db, commit, writePreferences, ...rest }: D,
  actor: A,
): Call & Omit<D, keyof Access> & { readonly actor: A } => ({
  ...rest,
  actor,
  [access]: { db, commit: (change) => commit(actor, change), writePreferences },
});

/** Returns the call of a request that the middleware `access` has authenticated. */
export const callOfRequest = (c: Context<ManagementEnv>): ManagementCall =>
  callBy(c.var.deps, c.var.actor);

/** A permission that only reads. */
type ReadPermission = Extract<
  Permission,
  `${string}:read` | `${string}:read-${string}` | "project:export"
>;

/** A permission for what belongs to the signed-in user. */
type OwnPermission = "session:own" | "token:own";
const isOfOwnAccount = (permission: Permission): permission is OwnPermission =>
  permission === "session:own" || permission === "token:own";

/** Where a verb reads or writes. */
interface Scope {
  /** The project of the resource. */
  readonly projectId: number;
  /** The environment of the resource, if it belongs to one. */
  readonly environmentId?: number | undefined;
}

/** The scope of what belongs to no project. */
interface NoProject {
  readonly projectId: null;
}

type Reads = Pick<Access, "db"> & {
  /** The permission that the actor has, in the scope or, without a scope, in at least one project. */
  readonly permission: Permission;
};
type Writes = Reads & Pick<Access, "commit">;
/** The permissions whose resources belong to a project or to the organisation. */
type InBoth = "service-account:write";
type OwnAccount = Writes & Pick<ManagementDeps, "writePreferences"> & { readonly actor: UserActor };

/**
 * Checks that the actor of a call has a permission in a scope. Returns the call with the database
 * handle, and for a permission that writes also with `commit`. A verb that must read before it
 * knows the scope leaves out the project. It may then call this with the permission in any
 * project, and gets no `commit`: after the read, it passes the row to `inScope`, or calls
 * `authorized` again with the scope.
 * Throws: 403 if the actor does not have the permission, is an API key of another project or
 * environment, or a token that is limited to other environments; 404 for a project whose existence
 * is hidden from the actor; 401 if something else than a user asks for its own account.
 */
export function authorized<C extends Call>(call: C, permission: OwnPermission): C & OwnAccount;
export function authorized<C extends Call>(
  call: C,
  permission: InBoth,
  scope: Scope | { readonly projectId: number | null },
): C & Writes;
export function authorized<C extends Call>(
  call: C,
  permission: Exclude<OrganisationPermission, ReadPermission | OwnPermission>,
  scope: NoProject,
): C & Writes;
export function authorized<C extends Call & { readonly actor: SystemActor }>(
  call: C,
  permission: Exclude<Permission, ReadPermission | OwnPermission>,
  scope: Scope | NoProject,
): C & Writes;
export function authorized<C extends Call>(
  call: C,
  permission: Exclude<Permission, ReadPermission | OrganisationPermission>,
  scope: Scope,
): C & Writes;
export function authorized<C extends Call>(
  call: C,
  permission: Permission,
  scope?: Partial<Scope>,
): C & Reads;
export function authorized(
  call: Call,
  permission: Permission,
  { projectId, environmentId }: Partial<Scope> | (NoProject & { environmentId?: number }) = {},
): Call & Access & { readonly permission: Permission } {
  const { actor } = call;
  // First the permission: without it, a caller gets 403 for an unknown project, too.
  assertAllowed(actor, permission, projectId);
  if (typeof projectId === "number")
    assertInProject({ actor, permission }, projectId, unknownProject());
  if (isOfOwnAccount(permission) && actor.kind !== "user") throw unauthorized();
  if (environmentId !== undefined) assertInEnvironment(actor, environmentId);
  return { ...call, ...call[access], permission };
}

/** What a function needs to make a change. A verb passes what `authorized` has returned. */
export interface WriteContext extends Pick<Access, "db" | "commit"> {
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  /** Who makes the change: a user, a service account, an API key, or the system in a job. */
  readonly actor: Actor;
}

/** What a function needs to read. A verb passes what `authorized` has returned. */
export type ReadContext = Pick<WriteContext, "actor"> & Reads;

/** What a function needs to change a user's own account, which API keys cannot do. */
export interface UserContext extends WriteContext {
  readonly actor: UserActor;
}

/**
 * The context of a request to the management API. A function that needs more than `WriteContext`
 * lists the additional fields in the type of its argument.
 */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/**
 * The context of a request without a signed-in caller, such as a login. To write, a function calls
 * `actAs`, either with the user whom the function has identified or with the system.
 */
export type PublicContext = ManagementDeps;

/**
 * Returns a context that writes as `actor`, without a check: the audit records of its changes name
 * `actor`. Only for callers who are not signed in yet.
 */
export const actAs = <A extends Actor>(
  ctx: PublicContext,
  actor: A,
): ManagementContext & Call & { readonly actor: A } => ({
  ...ctx,
  ...callBy(ctx, actor),
  commit: (change) => ctx.commit(actor, change),
});
