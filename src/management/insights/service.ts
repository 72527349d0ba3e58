import { notFound } from "../../core/errors/api-error.ts";
import {
  type RequestedPeriod,
  FLAG_RETENTION,
  INSTANCE_RETENTION,
  periodOf,
} from "../../core/insights/period.ts";
import {
  type FlagPoint,
  flagSeriesOf,
  type Period,
  type Point,
  seriesOf,
} from "../../core/insights/series.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import { findEnvironment } from "../environments/queries.ts";
import { findFlag } from "../flags/queries.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";

/**
 * The maximum numbers of flags in the response: 10 most evaluated flags, 100 never evaluated flags
 * and 100 stale flags. The API description states these numbers too.
 */
const MOST_EVALUATED = 10;
const MAX_LISTED = 100;

export interface FlagInsights {
  readonly flagId: number;
  readonly environmentId: number | undefined;
  readonly period: Period;
  readonly series: readonly FlagPoint[];
  /** Whether the flag has other values than true and false. */
  readonly isMultivariate: boolean;
}

export interface EnvironmentInsights {
  readonly environmentId: number;
  readonly period: Period;
  readonly series: readonly Point[];
  readonly mostEvaluated: queries.EvaluatedFlags;
  readonly neverEvaluated: queries.NeverEvaluatedFlags;
  readonly staleFlags: queries.StaleFlags;
}

/**
 * Returns how often a flag was true and false, and its variants were served: in one environment or
 * in all, for one SDK instance, one application or all instances.
 * Throws: 400 for an invalid period, 404 for an unknown flag or an environment of another project,
 * 403 for an API key of another project.
 */
export async function flagInsights(
  ctx: ReadContext & Pick<WriteContext, "now">,
  input: RequestedPeriod & {
    readonly flagId: number;
    readonly environmentId?: number | undefined;
    readonly instanceId?: string | undefined;
    readonly appName?: string | undefined;
  },
): Promise<FlagInsights> {
  const { flagId, environmentId, instanceId, appName } = input;
  const ofInstances = instanceId !== undefined || appName !== undefined;
  const retention = ofInstances ? INSTANCE_RETENTION : FLAG_RETENTION;
  const period = periodOf(input, retention, ctx.now());
  const flag = await findFlag(ctx.db, flagId);
  if (!flag) throw notFound("The flag does not exist");
  assertInScope(ctx.actor, flag.projectId);
  if (environmentId !== undefined) {
    const environment = await findEnvironment(ctx.db, environmentId);
    if (environment?.projectId !== flag.projectId)
      throw notFound("The environment does not exist in the flag's project");
  }
  const filter = { flag, environmentId, instanceId, appName };
  const counted = await (ofInstances
    ? queries.instanceCounts(ctx.db, filter, period)
    : queries.flagCounts(ctx.db, filter, period));
  const isMultivariate = flag.valueType !== "boolean";
  return { flagId, environmentId, period, series: flagSeriesOf(period, counted), isMultivariate };
}

/**
 * Returns how often the flags of an environment are evaluated, and which flags could be removed.
 * The number of SQL statements does not depend on the number of flags.
 * Throws: 400 for an invalid period, 404 for an unknown environment, 403 for an API key of another
 * project.
 */
export async function environmentInsights(
  ctx: ReadContext & Pick<WriteContext, "now">,
  input: RequestedPeriod & { readonly environmentId: number },
): Promise<EnvironmentInsights> {
  const { environmentId } = input;
  const now = ctx.now();
  const period = periodOf(input, FLAG_RETENTION, now);
  const environment = await findEnvironment(ctx.db, environmentId);
  if (!environment) throw notFound("The environment does not exist");
  assertInScope(ctx.actor, environment.projectId);
  const [counted, mostEvaluated, neverEvaluated, staleFlags] = await Promise.all([
    queries.environmentCounts(ctx.db, environmentId, period),
    queries.mostEvaluated(ctx.db, environmentId, period, MOST_EVALUATED),
    queries.neverEvaluated(ctx.db, environment, MAX_LISTED),
    queries.staleFlags(ctx.db, environment.projectId, now, MAX_LISTED),
  ]);
  const series = seriesOf(period, counted);
  return { environmentId, period, series, mostEvaluated, neverEvaluated, staleFlags };
}
