import { notFound } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import type { SeenInstance } from "../../core/usage/presence.ts";
import type { Reach } from "../../core/usage/propagation.ts";
import { type Call, reads, type RequestCall } from "../../access/call.ts";
import { findEnvironment } from "../../model/environments/queries.ts";
import { findProject } from "../../model/projects/queries.ts";
import { assertInProject, inScope, unknownProject } from "../../access/scope.ts";
import * as queries from "../../model/instances/queries.ts";

/**
 * The maximum number of SDK instances in a list, which limits the response to about 2 MB. A user
 * with more instances filters them by environment or application.
 */
const MAX_LISTED = 10_000;

/**
 * How long after it was last seen an SDK instance still counts as running, milliseconds: five minutes. SDKs
 * poll about every 30 seconds, so an instance that is no longer counted has missed about ten polls.
 */
const SEEN_WITHIN_MS = 300_000;
const MAX_PENDING = 20;

/**
 * How long ago an SDK instance may have fetched rules, or been seen, to be listed as one that lacks or
 * has a feature, milliseconds: a day.
 */
const RECENT_MS = DAY_MS;

/** An SDK instance with the newest revision of its environment. */
export interface ListedInstance extends SeenInstance {
  readonly newestRevision: number;
}

export interface Propagation extends Reach {
  readonly environmentId: number;
  readonly revision: number;
  readonly changedAt: number;
  readonly seenWithinMs: number;
}

export interface InstancesInput {
  readonly projectId: number;
  readonly environmentId?: number | undefined;
  readonly appName?: string | undefined;
  readonly lackingFeature?: string | undefined;
  readonly havingFeature?: string | undefined;
}

/**
 * Returns at most 10,000 SDK instances of a project, most recently seen first. With
 * `lackingFeature`: only instances that fetched rules in the last 24 hours with an SDK that does
 * not know the feature. With `havingFeature`: only instances that were seen in the last 24 hours with
 * an SDK that has the feature. Throws: 404 for an unknown project or an environment of another project,
 * 403 for an API key of another project, 503 when the instances cannot be read.
 */
export async function listInstances(
  call: Call & Pick<RequestCall, "usage">,
  { projectId, environmentId, appName, lackingFeature, havingFeature }: InstancesInput,
): Promise<readonly ListedInstance[]> {
  const ctx = reads(call, "metrics:read");
  if (!(await findProject(ctx.db, projectId))) throw unknownProject();
  assertInProject(ctx, projectId, unknownProject());
  const revisions = await queries.newestRevisions(ctx.db, projectId);
  if (environmentId !== undefined && !revisions.has(environmentId))
    throw notFound("The environment does not exist in the project");
  const filter = {
    environmentIds: environmentId === undefined ? [...revisions.keys()] : [environmentId],
    appName,
    lacking:
      lackingFeature === undefined
        ? undefined
        : { feature: lackingFeature, fetchedSince: ctx.now() - RECENT_MS },
    having:
      havingFeature === undefined
        ? undefined
        : { feature: havingFeature, seenSince: ctx.now() - RECENT_MS },
  };
  const instances = await ctx.usage.instances(projectId, filter, MAX_LISTED);
  return instances.map((instance) =>
    Object.assign(instance, { newestRevision: revisions.get(instance.environmentId) ?? 0 }),
  );
}

/**
 * Returns how many SDK instances of an environment were seen in the last five minutes, how many of
 * these are up to date, and up to 20 instances that are not up to date. Throws: 404 for an unknown
 * environment, 403 for an API key of another project, 503 when the instances cannot be read.
 */
export async function propagation(
  call: Call & Pick<RequestCall, "usage">,
  { environmentId }: { readonly environmentId: number },
): Promise<Propagation> {
  const ctx = reads(call, "metrics:read");
  const environment = await findEnvironment(ctx.db, environmentId);
  const missing = notFound("The environment does not exist");
  const { projectId, revision, changedAt } = inScope(ctx, environment, missing);
  const seenSince = ctx.now() - SEEN_WITHIN_MS;
  const propagated = { environmentId, revision, changedAt, seenSince };
  const reach = await ctx.usage.reach(projectId, propagated, MAX_PENDING);
  return { environmentId, revision, changedAt, seenWithinMs: SEEN_WITHIN_MS, ...reach };
}
