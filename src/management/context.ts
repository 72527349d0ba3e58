import type { Actor, UserActor } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import { unauthorized } from "../core/errors/api-error.ts";
import type { Change, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/** The first argument of every function that writes. Routes and jobs both create one. */
export interface WriteContext {
  readonly db: ReadDb;
  /** Writes one change in one transaction. The audit record names `actor`. */
  readonly commit: (change: Change) => Promise<readonly Revision[]>;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  /** The caller: a user, an API key, or the system. */
  readonly actor: Actor;
}

/** The first argument of functions that only read. */
export type ReadContext = Pick<WriteContext, "db" | "actor">;

/**
 * The context of a request to the management API. A function that needs more than `WriteContext`
 * names these fields in its type.
 */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/** The context of functions for a user's own account, which API keys cannot call. */
export interface UserContext extends WriteContext {
  readonly actor: UserActor;
}

/**
 * The context of a request without a signed-in caller, such as a login. The function writes through
 * `actAs`, either as the user whom it has identified or as the system.
 */
export type PublicContext = ManagementDeps;

/** Returns a context whose audit records name `actor`. */
export const actAs = <A extends Actor>(
  ctx: PublicContext,
  actor: A,
): ManagementContext & { readonly actor: A } => ({
  ...ctx,
  actor,
  commit: (change) => ctx.commit(actor, change),
});

/** Returns the context of a request that the middleware `access` has authenticated. */
export const contextOf = (c: Context<ManagementEnv>): ManagementContext =>
  actAs(c.var.deps, c.var.actor);

/**
 * Returns the context of a request by a user. Throws: 401 for an API key. The permission
 * `session:own` already excludes API keys.
 */
export function userContextOf(c: Context<ManagementEnv>): ManagementContext & UserContext {
  const { deps, actor } = c.var;
  if (actor.kind !== "user") throw unauthorized();
  return actAs(deps, actor);
}
