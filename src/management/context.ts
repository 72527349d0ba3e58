import type { Actor, UserActor } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import { unauthorized } from "../core/errors/api-error.ts";
import type { Change, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/** The first argument of every verb. Routes and jobs both make one. */
export interface WriteContext {
  readonly db: ReadDb;
  /** Writes one change in one transaction. The audit record names `actor`. */
  readonly commit: (change: Change) => Promise<readonly Revision[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A user, an API key, or the system. */
  readonly actor: Actor;
}

/** What a verb needs that only reads. */
export type ReadContext = Pick<WriteContext, "db" | "actor">;

/** The context of a request. A verb that needs more than `WriteContext` names those fields. */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/** The context of verbs for a user's own account, which API keys cannot call. */
export interface UserContext extends WriteContext {
  readonly actor: UserActor;
}

/**
 * The context of a request without a signed-in caller, such as a login. A verb writes through
 * `actAs`, as the user whom it has identified or as the system.
 */
export type PublicContext = ManagementDeps;

/** Makes a context whose writes are audited as made by `actor`. */
export const actAs = <A extends Actor>(
  ctx: PublicContext,
  actor: A,
): ManagementContext & { readonly actor: A } => ({
  ...ctx,
  actor,
  commit: (change) => ctx.commit(actor, change),
});

/** The context of a request that the middleware `access` has authenticated. */
export const contextOf = (c: Context<ManagementEnv>): ManagementContext =>
  actAs(c.var.deps, c.var.actor);

/** The context of a request by a user. Throws: 401 for an API key, which `session:own` excludes. */
export function userContextOf(c: Context<ManagementEnv>): ManagementContext & UserContext {
  const { deps, actor } = c.var;
  if (actor.kind !== "user") throw unauthorized();
  return actAs(deps, actor);
}
