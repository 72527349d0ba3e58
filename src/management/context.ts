import type { Actor } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
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

/** The context of a request. A verb that needs more than `WriteContext` names the fields it needs. */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/** The context of a request that the middleware `access` has authenticated. */
export function contextOf(c: Context<ManagementEnv>): ManagementContext {
  const { deps, actor } = c.var;
  return { ...deps, actor, commit: (change) => deps.commit(actor, change) };
}
