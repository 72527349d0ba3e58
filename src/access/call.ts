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
import { actorOf, type SignedUser } from "./actor.ts";
import type { Deps, ManagementEnv } from "./deps.ts";
import { assertInEnvironment, assertInProject, unknownProject } from "./scope.ts";

/** The key of the field of a call that only this file can read. */
const handles = Symbol("handles");

/** How to read and write the database. Jobs have no `record`, because they have no own account. */
interface Handles extends Pick<Deps, "db">, Partial<Pick<Deps, "record">> {
  readonly commit: (change: Change) => Promise<Committed>;
}

/**
 * What a call has of a request. All but `usage` is undefined in a job, which has no reason and
 * sends its own mails.
 */
type OfRequest = {
  readonly [K in "request" | "later" | "mailer" | "publicUrl" | "usage"]?: Deps[K] | undefined;
};

/**
 * Who calls a verb, and when: the first argument of each verb. A route or a job makes a call. A call
 * can neither read nor write the database, so a verb first passes it to `reads`, `writes` or
 * `ownAccount`, which check the actor's permission.
 */
export interface Call<A extends Actor = Actor> extends OfRequest {
  readonly actor: A;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  readonly [handles]: Handles;
}

export type RequestCall<A extends Actor = Actor> = Call<A> & Omit<Deps, "db" | "commit" | "record">;

/** What a function needs to read: a verb passes what `reads` has returned. */
export interface Reading<A extends Actor = Actor> extends Pick<Handles, "db"> {
  readonly actor: A;
  readonly now: () => number;
  /** The permission that the actor has, in the scope or, without a scope, in at least one project. */
  readonly permission: Permission;
}

/** What a function needs to make a change: a verb passes what `writes` or `ownAccount` has returned. */
export interface Writing<A extends Actor = Actor> extends Omit<Reading<A>, "permission"> {
  /** Writes one change in one transaction. The audit records of the change name the actor. */
  readonly commit: (change: Change) => Promise<Committed>;
}

/**
 * The request of a caller who is not signed in, such as a login. To write, a function calls `asUser`
 * with the user whom it has identified, or `asSystem`.
 */
export type Visitor = Deps;

/** Returns a call by `actor`: the audit records of its changes name `actor`. */
export const callBy = <
  D extends Pick<Deps, "db" | "commit" | "now"> & Partial<Pick<Deps, "record">> & OfRequest,
  A extends Actor,
>(
  { db, commit, record, ...rest }: D,
  actor: A,
): Call<A> & Omit<D, "db" | "commit" | "record"> => ({
  ...rest,
  actor,
  [handles]: { db, commit: (change) => commit(actor, change), ...(record && { record }) },
});

/** Returns the call of a request that the middleware `access` has authenticated. */
export const callOfRequest = (c: Context<ManagementEnv>): RequestCall =>
  callBy(c.var.deps, c.var.actor);

/** A permission that only reads. */
type ReadPermission = Extract<
  Permission,
  `${string}:read` | `${string}:read-${string}` | "project:export"
>;

/** A permission for what belongs to the signed-in user. */
type OwnPermission = "session:own" | "token:own";

type WritePermission = Exclude<Permission, ReadPermission | OwnPermission>;

/** Where a verb reads or writes. */
interface Scope {
  readonly projectId: number;
  readonly environmentId?: number | undefined;
}

/** The scope of what belongs to no project. */
interface NoProject {
  readonly projectId: null;
}

/** The scope that a permission needs. Service accounts belong to a project or to the organisation. */
type ScopeOf<P extends WritePermission, A extends Actor> = [A] extends [SystemActor]
  ? Scope | NoProject
  : [P] extends ["service-account:write"]
    ? { readonly projectId: number | null }
    : [P] extends [OrganisationPermission]
      ? NoProject
      : Scope;

/**
 * Checks that the actor of a call has a permission in a scope, and returns the call with the database handle.
 * A verb that must read before it knows the project leaves the project out: the actor then needs the
 * permission in any project. After the read, the verb passes the row to `inScope`, or to `writes`. Throws:
 * 403 if the actor does not have the permission, is an API key of another project or environment, or a token
 * that is limited to other environments; 404 for a project whose existence is hidden from the actor.
 */
export function reads<C extends Call>(
  call: C,
  permission: Permission,
  scope: Partial<Scope> = {},
): C & Reading<C["actor"]> {
  check(call.actor, permission, scope);
  return { ...call, db: call[handles].db, permission };
}

/** As `reads`, for a permission that writes. Returns `commit`, too. Throws: as `reads`. */
export function writes<C extends Call, P extends WritePermission>(
  call: C,
  permission: P,
  scope: ScopeOf<P, C["actor"]>,
): C & Reading<C["actor"]> & Writing<C["actor"]> {
  check(call.actor, permission, scope);
  const { db, commit } = call[handles];
  return { ...call, db, commit, permission };
}

/**
 * As `writes`, for what belongs to the signed-in user. `record` writes without an audit record.
 * Throws: as `reads`, and 401 if the actor is no user.
 */
export function ownAccount<C extends Call>(
  call: C,
  permission: OwnPermission,
): C & Reading<UserActor> & Writing<UserActor> & Pick<Deps, "record"> {
  check(call.actor, permission, {});
  const { actor } = call;
  const { record, ...rest } = call[handles];
  if (actor.kind !== "user" || !record) throw unauthorized();
  return { ...call, ...rest, actor, record, permission };
}

function check(
  actor: Actor,
  permission: Permission,
  { projectId, environmentId }: Partial<Scope> | (NoProject & { environmentId?: undefined }),
): void {
  // First the permission: without it, a caller gets 403 for an unknown project, too.
  assertAllowed(actor, permission, projectId);
  if (typeof projectId === "number")
    assertInProject({ actor, permission }, projectId, unknownProject());
  if (environmentId !== undefined) assertInEnvironment(actor, environmentId);
}

/**
 * Returns a call that writes as a user, without a check. Only for a visitor whom the function has
 * identified as this user.
 */
export const asUser = (
  visitor: Visitor,
  user: SignedUser,
): RequestCall<UserActor> & Writing<UserActor> => writingAs(visitor, actorOf(user));

/** Returns a call that writes as a part of the service, without a check, for a visitor without a name. */
export const asSystem = (
  visitor: Visitor,
  name: string,
): RequestCall<SystemActor> & Writing<SystemActor> => writingAs(visitor, { kind: "system", name });

function writingAs<A extends Actor>(visitor: Visitor, actor: A): RequestCall<A> & Writing<A> {
  const call = callBy(visitor, actor);
  return { ...call, db: visitor.db, commit: call[handles].commit };
}
