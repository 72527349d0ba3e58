import { notFound } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
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

/** Only SDK instances that fetched rules within this time can lack a feature, milliseconds. */
const FETCHED_WITHIN_MS = DAY_MS;

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
 * Returns at most 10,000 SDK instances of a project, most recently seen first. With
 * `lackingFeature`: only those that fetched rules in the last 24 hours with an SDK that does not
 * know the feature.
 * Throws: 404 for an unknown project or an environment of another project, 403 for an API key of
 * another project.
 */
export async function listInstances(
  ctx: ReadContext & Pick<WriteContext, "now">,
  input: Omit<queries.InstanceFilter, "lacking"> & { readonly lackingFeature?: string | undefined },
): Promise<queries.Instances> {
  const { lackingFeature: feature, ...filter } = input;
  const { projectId, environmentId } = filter;
  if (!(await findProject(ctx.db, projectId))) throw notFound("The project does not exist");
  assertInScope(ctx.actor, projectId);
  if (environmentId !== undefined) {
    const environment = await findEnvironment(ctx.db, environmentId);
    if (environment?.projectId !== projectId)
      throw notFound("The environment does not exist in the project");
  }
  const lacking =
    feature === undefined ? undefined : { feature, fetchedSince: ctx.now() - FETCHED_WITHIN_MS };
  return queries.listInstances(ctx.db, { ...filter, lacking }, MAX_LISTED);
}

/**
 * Returns how many SDK instances of an environment were seen in the last five minutes, how many of
 * these are up to date, and up to 20 that are not.
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
