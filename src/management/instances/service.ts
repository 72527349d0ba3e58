import { notFound } from "../../core/errors/api-error.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import { findEnvironment } from "../environments/queries.ts";
import { findProject } from "../projects/queries.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";

/**
 * The maximum number of SDK instances in a list, which limits the response to about 2 MB. A user
 * with more instances filters them by environment or application.
 */
const MAX_LISTED = 10_000;

/**
 * An SDK instance that was not seen for five minutes is assumed to have stopped. SDKs poll about
 * every 30 seconds, so such an instance has missed about ten polls.
 */
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
 * Returns at most 10,000 SDK instances of a project, most recently seen first.
 * Throws: 404 for an unknown project or an environment of another project, 403 for an API key of
 * another project.
 */
export async function listInstances(
  ctx: ReadContext,
  filter: queries.InstanceFilter,
): Promise<queries.Instances> {
  const { projectId, environmentId } = filter;
  if (!(await findProject(ctx.db, projectId))) throw notFound("The project does not exist");
  assertInScope(ctx.actor, projectId);
  if (environmentId !== undefined) {
    const environment = await findEnvironment(ctx.db, environmentId);
    if (environment?.projectId !== projectId) throw notFound("The environment does not exist");
  }
  return queries.listInstances(ctx.db, filter, MAX_LISTED);
}

/**
 * Returns how many of the SDK instances that were seen in the last five minutes have the newest
 * revision of an environment, and up to 20 of the others.
 * Throws: 404 for an unknown environment, 403 for an API key of another project.
 */
export async function propagation(
  ctx: ReadContext & Pick<WriteContext, "now">,
  { environmentId }: { readonly environmentId: number },
): Promise<Propagation> {
  const environment = await findEnvironment(ctx.db, environmentId);
  if (!environment) throw notFound("The environment does not exist");
  assertInScope(ctx.actor, environment.projectId);
  const { id, revision, changedAt } = environment;
  const propagated = { id, revision, changedAt, seenSince: ctx.now() - SEEN_WITHIN_MS };
  // Both SELECT statements run in one transaction, so that the list and the counts describe the
  // same state.
  const [[counts], pending] = await ctx.db.batch([
    queries.countInstances(ctx.db, propagated),
    queries.pendingInstances(ctx.db, propagated, MAX_PENDING),
  ]);
  const { known = 0, upToDate = 0, slowestMs = null } = counts ?? {};
  const seenWithinMs = SEEN_WITHIN_MS;
  return { environmentId, revision, changedAt, seenWithinMs, known, upToDate, slowestMs, pending };
}
