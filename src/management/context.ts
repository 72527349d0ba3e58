import type { Actor } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import type { Change, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/** What every verb gets as its first argument. Routes and jobs both make one. */
export interface WriteContext {
  readonly db: ReadDb;
  /** Writes one change, audited as made by `actor`, in one transaction. */
  readonly commit: (change: Change) => Promise<readonly Revision[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A user, an API key, or the system. */
  readonly actor: Actor;
}

/** A request's context; a verb that needs more than `WriteContext` names the fields it needs. */
export type ManagementContext = Omit<ManagementDeps, "commit"> & WriteContext;

/** The context of a request, once `access` has found its caller. */
export function contextOf(c: Context<ManagementEnv>): ManagementContext {
  const { deps, actor } = c.var;
  return { ...deps, actor, commit: (change) => deps.commit(actor, change) };
}
