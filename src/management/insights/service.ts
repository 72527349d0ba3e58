import { notFound } from "../../core/errors/api-error.ts";
import {
  type AskedPeriod,
  MEMORY_OF_FLAGS,
  MEMORY_OF_INSTANCES,
  periodOf,
} from "../../core/insights/period.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { type Period, type Point, seriesOf } from "../../core/insights/series.ts";
import type { ManagementDeps } from "../deps.ts";
import { findEnvironment } from "../environments/queries.ts";
import { findFlag } from "../flags/queries.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";

const MOST_EVALUATED = 10;
const MAX_LISTED = 100;

export interface FlagInsights {
  readonly flagId: number;
  readonly environmentId: number | undefined;
  readonly period: Period;
  readonly series: readonly Point[];
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
 * How often a flag was true and false: everywhere or in one environment, as everybody or as one
 * instance or application reported it.
 * Errors: 400 for the period, 404 for the flag, and for an environment that is not of its project.
 */
export async function flagInsights(
  deps: ManagementDeps,
  actor: Actor,
  flagId: number,
  asked: AskedPeriod & {
    readonly environmentId?: number | undefined;
    readonly instanceId?: string | undefined;
    readonly appName?: string | undefined;
  },
): Promise<FlagInsights> {
  const { environmentId, instanceId, appName } = asked;
  const ofInstances = instanceId !== undefined || appName !== undefined;
  const memory = ofInstances ? MEMORY_OF_INSTANCES : MEMORY_OF_FLAGS;
  const period = periodOf(asked, memory, deps.now());
  const flag = await findFlag(deps.db, flagId);
  if (!flag) throw notFound("The flag");
  assertInScope(actor, flag.projectId);
  if (environmentId !== undefined) {
    const environment = await findEnvironment(deps.db, environmentId);
    if (environment?.projectId !== flag.projectId) throw notFound("The environment");
  }
  const filter = { flag, environmentId, instanceId, appName };
  const counted = await (ofInstances
    ? queries.instanceCounts(deps.db, filter, period)
    : queries.flagCounts(deps.db, filter, period));
  return { flagId, environmentId, period, series: seriesOf(period, counted) };
}

/**
 * What is evaluated in an environment, and which flags could go; the same number of statements
 * whatever there is. Errors: 400 for the period, 404, 403 for a key of another project.
 */
export async function environmentInsights(
  deps: ManagementDeps,
  actor: Actor,
  environmentId: number,
  asked: AskedPeriod,
): Promise<EnvironmentInsights> {
  const now = deps.now();
  const period = periodOf(asked, MEMORY_OF_FLAGS, now);
  const environment = await findEnvironment(deps.db, environmentId);
  if (!environment) throw notFound("The environment");
  assertInScope(actor, environment.projectId);
  const [counted, mostEvaluated, neverEvaluated, staleFlags] = await Promise.all([
    queries.environmentCounts(deps.db, environmentId, period),
    queries.mostEvaluated(deps.db, environmentId, period, MOST_EVALUATED),
    queries.neverEvaluated(deps.db, environment, MAX_LISTED),
    queries.staleFlags(deps.db, environment.projectId, now, MAX_LISTED),
  ]);
  const series = seriesOf(period, counted);
  return { environmentId, period, series, mostEvaluated, neverEvaluated, staleFlags };
}
