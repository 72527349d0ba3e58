import type { Actor, UserActor } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import { unauthorized } from "../core/errors/api-error.ts";
import type { Change, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/**
 * The context of a change: the first argument of functions that write. Routes and jobs both create
 * a `WriteContext`.
 */
export interface WriteContext {
  readonly db: ReadDb;
  /** Writes one change in one transaction. The audit records of the change name `actor`. */
  readonly commit: (change: Change) => Promise<readonly Revision[]>;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  /** Who makes the change: a user, an API key, or the system in a job. */
  readonly actor: Actor;
}

/** The first argument of functions that only read. */
export type ReadContext = Pick<WriteContext, "db" | "actor">;

/** The context of functions that read usage. */
export interface UsageContext extends ReadContext, Pick<WriteContext, "now"> {
  readonly usage: ManagementDeps["usage"];
}

/**
 * The context of a request to the management API. A function that needs more than `WriteContext`
 * lists the additional fields in the type of its argument.
 */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/** The context of functions for a user's own account, which API keys cannot call. */
export interface UserContext extends WriteContext {
  readonly actor: UserActor;
}

/**
 * The context of a request without a signed-in caller, such as a login. To write, a function calls
 * `actAs`, either with the user whom the function has identified or with the system.
 */
export type PublicContext = ManagementDeps;

/** Returns a context that writes as `actor`: the audit records of its changes name `actor`. */
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
 * Returns the context of a request by a user.
 * Throws: 401 for an API key. The routes that call this function require the permission
 * `session:own`, which no API key has.
 */
export function userContextOf(c: Context<ManagementEnv>): ManagementContext & UserContext {
  const { deps, actor } = c.var;
  if (actor.kind !== "user") throw unauthorized();
  return actAs(deps, actor);
}
