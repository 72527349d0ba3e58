import { notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { ManagementDeps } from "../deps.ts";
import { findEnvironment } from "../environments/queries.ts";
import { findProject } from "../projects/queries.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";

/** Bounds the answer at some 2 MB; who has more instances asks by environment or application. */
const MAX_LISTED = 10_000;

/** Ten polls of 30 seconds (interface.md, Limits): an instance silent for longer is taken for gone. */
const SEEN_WITHIN_MS = 300_000;
const MAX_PENDING = 20;

export interface Propagation {
  readonly environmentId: number;
  readonly revision: number;
  readonly changedAt: number;
  readonly seenWithinMs: number;
  readonly known: number;
  readonly upToDate: number;
  readonly slowestMs: number | null;
  readonly pending: queries.PendingInstances;
}

/**
 * The SDK instances of a project, most recently seen first.
 * Errors: 404, also for an environment of another project; 403 for a key of another project.
 */
export async function listInstances(
  deps: ManagementDeps,
  actor: Actor,
  filter: queries.InstanceFilter,
): Promise<queries.Instances> {
  const { projectId, environmentId } = filter;
  if (!(await findProject(deps.db, projectId))) throw notFound("The project");
  assertInScope(actor, projectId);
  if (environmentId !== undefined) {
    const environment = await findEnvironment(deps.db, environmentId);
    if (environment?.projectId !== projectId) throw notFound("The environment");
  }
  return queries.listInstances(deps.db, filter, MAX_LISTED);
}

/**
 * How far the newest revision of an environment has come among the instances that are alive.
 * Errors: 404, 403 for a key of another project.
 */
export async function propagation(
  deps: ManagementDeps,
  actor: Actor,
  environmentId: number,
): Promise<Propagation> {
  const environment = await findEnvironment(deps.db, environmentId);
  if (!environment) throw notFound("The environment");
  assertInScope(actor, environment.projectId);
  const { id, revision, changedAt } = environment;
  const propagated = { id, revision, changedAt, seenSince: deps.now() - SEEN_WITHIN_MS };
  // In one transaction, so that the list is of those that the number counts.
  const [[counts], pending] = await deps.db.batch([
    queries.countInstances(deps.db, propagated),
    queries.pendingInstances(deps.db, propagated, MAX_PENDING),
  ]);
  const { known = 0, upToDate = 0, slowestMs = null } = counts ?? {};
  const seenWithinMs = SEEN_WITHIN_MS;
  return { environmentId, revision, changedAt, seenWithinMs, known, upToDate, slowestMs, pending };
}
