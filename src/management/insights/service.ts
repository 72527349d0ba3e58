import { notFound } from "../../core/errors/api-error.ts";
import {
  APP_RETENTION,
  type RequestedPeriod,
  FLAG_RETENTION,
  INSTANCE_RETENTION,
  periodOf,
} from "../../core/insights/period.ts";
import {
  type EnvironmentPoint,
  environmentSeriesOf,
  type FlagPoint,
  flagSeriesOf,
  type Period,
  type Point,
  type PointPart,
  seriesOf,
  startOf,
} from "../../core/insights/series.ts";
import { type Call, type Reading, reads, type RequestCall } from "../../access/call.ts";
import { findEnvironment } from "../../model/environments/queries.ts";
import { inScope } from "../../access/scope.ts";
import * as queries from "../../model/insights/queries.ts";
import {
  environmentEntries,
  flagEntries,
  partsOfInstance,
  variantEntries,
} from "../../model/insights/unwritten-usage.ts";

/**
 * The most never evaluated flags, and the most stale flags, in the response. The API description
 * states this number too.
 */
const MAX_LISTED = 100;

const missingEnvironment = () => notFound("The environment does not exist");

export interface FlagInsights {
  readonly flagId: number;
  readonly environmentId: number | undefined;
  readonly period: Period;
  readonly series: readonly FlagPoint[];
  /** Whether the flag has values other than true and false. */
  readonly isMultivariate: boolean;
}

export interface EnvironmentInsights {
  /** How often SDKs with an open event stream report usage, seconds. */
  readonly reportSeconds: number;
  readonly environmentId: number;
  readonly period: Period;
  readonly series: readonly EnvironmentPoint[];
  readonly mostEvaluated: readonly EvaluatedFlag[];
  readonly neverEvaluated: queries.NeverEvaluatedFlags;
  readonly staleFlags: queries.StaleFlags;
}

/** `served`: how often each variant was served. Null for a boolean flag. */
type EvaluatedFlag = queries.EvaluatedFlags[number] & {
  readonly served: { key: string; n: number }[] | null;
};

export interface UsageOfFlags {
  readonly environmentId: number;
  readonly period: Period;
  readonly flags: readonly { readonly flagId: number; readonly series: readonly Point[] }[];
}

type UsageCall = Call & Pick<RequestCall, "usage">;

interface FlagInsightsInput extends RequestedPeriod {
  readonly flagId: number;
  readonly environmentId?: number | undefined;
  readonly instanceId?: string | undefined;
  readonly appName?: string | undefined;
}

/**
 * Returns how often a flag was true and false, and its variants were served: in one environment or in all,
 * for one SDK instance, one application or all instances. Throws: 400 for an invalid period, 404 for an
 * unknown flag or an environment of another project, 403 for an API key of another project, 503 when the
 * usage object, which has the usage that is not yet in the database, cannot be read.
 */
export async function flagInsights(
  call: UsageCall,
  input: FlagInsightsInput,
): Promise<FlagInsights> {
  const ctx = reads(call, "metrics:read");
  const { flagId, environmentId } = input;
  const period = periodOf(input, retentionOf(input), ctx.now());
  const found = await queries.findFlag(ctx.db, flagId);
  const flag = inScope(ctx, found, notFound("The flag does not exist"));
  if (environmentId !== undefined && !flag.environmentIds.includes(environmentId))
    throw notFound("The environment does not exist in the flag's project");
  const counted = await countsOf(ctx, { input, flag, period });
  const isMultivariate = flag.valueType !== "boolean";
  return { flagId, environmentId, period, series: flagSeriesOf(period, counted), isMultivariate };
}

/**
 * Returns how often each of the flags was true and false per day in an environment. Flags without
 * evaluations, and flags of other projects, are left out. Throws the same errors as
 * `environmentInsights`.
 */
export async function usageOfFlags(
  call: UsageCall,
  input: Omit<RequestedPeriod, "interval"> & {
    readonly environmentId: number;
    readonly flagIds: readonly number[];
  },
): Promise<UsageOfFlags> {
  const ctx = reads(call, "metrics:read");
  const { environmentId, flagIds } = input;
  const period = periodOf({ ...input, interval: "day" }, FLAG_RETENTION, ctx.now());
  const environment = await findEnvironment(ctx.db, environmentId);
  const { id, projectId } = inScope(ctx, environment, missingEnvironment());
  // Reads the usage object first, as `countsOf` does.
  const unwritten = environmentEntries(
    await ctx.usage.unwritten(projectId, { environmentIds: [id] }),
  );
  const filter = { id, projectId, flagIds };
  const counted = await queries.countsByFlag(ctx.db, filter, period, unwritten);
  const flags = Array.from(
    Map.groupBy(counted, ({ flagId }) => flagId),
    ([flagId, points]) => ({ flagId, series: seriesOf(period, points) }),
  );
  return { environmentId, period, flags: flags.toSorted((a, b) => a.flagId - b.flagId) };
}

function retentionOf({ instanceId, appName }: FlagInsightsInput) {
  if (instanceId !== undefined) return INSTANCE_RETENTION;
  return appName === undefined ? FLAG_RETENTION : APP_RETENTION;
}

interface Requested {
  readonly input: FlagInsightsInput;
  readonly flag: queries.InsightsFlag;
  readonly period: Period;
}

/**
 * Reads the usage of a flag from the usage object and then from the database. In this order, the
 * query of the database notices usage that the object writes in the meantime.
 */
async function countsOf(
  { db, usage }: Reading & Pick<RequestCall, "usage">,
  { input: { environmentId, instanceId, appName }, flag, period }: Requested,
): Promise<readonly PointPart[]> {
  const { key: flagKey, projectId, variants, createdAt } = flag;
  // Older usage with the key of the flag is that of a deleted flag.
  const firstHour = startOf("hour", createdAt);
  const environmentIds = environmentId === undefined ? flag.environmentIds : [environmentId];
  const asked = { environmentIds, flagKey, appName };
  if (instanceId !== undefined) {
    const { interval, to } = period;
    const from = Math.max(startOf(interval, period.from), firstHour);
    const hours = await usage.instanceUsage(projectId, { ...asked, instanceId, from, to });
    return partsOfInstance(hours, variants, interval);
  }
  const hours = await usage.unwritten(projectId, asked);
  const unwritten = flagEntries(
    hours.filter(({ hour }) => hour >= firstHour),
    variants,
  );
  const filter = { flag, environmentIds };
  return appName === undefined
    ? queries.flagCounts(db, filter, period, unwritten)
    : queries.appCounts(db, { ...filter, appName }, period, unwritten);
}

/**
 * Returns how often the flags of an environment are evaluated, and which flags could be removed. The number
 * of SQL statements does not depend on the number of flags. Throws: 400 for an invalid period, 404 for an
 * unknown environment, 403 for an API key of another project, 503 when the usage object cannot be read.
 */
export async function environmentInsights(
  call: UsageCall,
  input: RequestedPeriod & { readonly environmentId: number },
): Promise<EnvironmentInsights> {
  const ctx = reads(call, "metrics:read");
  const { environmentId } = input;
  const now = ctx.now();
  const period = periodOf(input, FLAG_RETENTION, now);
  const found = await findEnvironment(ctx.db, environmentId);
  const environment = inScope(ctx, found, missingEnvironment());
  // Reads the usage object first, as `countsOf` does.
  const asked = { environmentIds: [environmentId] };
  const hours = await ctx.usage.unwritten(environment.projectId, asked);
  const unwritten = environmentEntries(hours);
  const [counted, mostEvaluated, neverEvaluated, staleFlags] = await Promise.all([
    queries.environmentCounts(ctx.db, environment, period, unwritten),
    queries
      .mostEvaluated(ctx.db, environment, period, unwritten)
      .then((most) => withVariants(ctx, most, { environment, period, hours })),
    queries.neverEvaluated(ctx.db, environment, unwritten, MAX_LISTED),
    queries.staleFlags(ctx.db, environment.projectId, now, MAX_LISTED),
  ]);
  const series = environmentSeriesOf(period, counted);
  const { reportSeconds } = ctx.usage;
  const flags = { mostEvaluated, neverEvaluated, staleFlags };
  return { environmentId, period, reportSeconds, series, ...flags };
}

interface Counted {
  readonly environment: queries.EnvironmentFilter;
  readonly period: Period;
  readonly hours: Parameters<typeof variantEntries>[0];
}

/**
 * Adds how often each variant was served: the variants of the flag in its order, then those that it no longer
 * has. Sends no query if all flags are boolean.
 */
async function withVariants(
  { db }: Reading,
  found: queries.EvaluatedFlags,
  { environment, period, hours }: Counted,
): Promise<readonly EvaluatedFlag[]> {
  const valued = found.filter(({ valueType }) => valueType !== "boolean");
  if (valued.length === 0) return found.map((flag) => ({ ...flag, served: null }));
  const filter = { ...environment, flagIds: valued.map(({ flagId }) => flagId) };
  const rows = await queries.variantCounts(db, filter, period, variantEntries(hours, valued));
  return found.map((flag) => {
    if (!valued.includes(flag)) return { ...flag, served: null };
    const own = rows.filter(({ flagId }) => flagId === flag.flagId);
    const counts = new Map(own.map(({ variant, n }) => [variant, n]));
    const keys = new Set([...flag.variants.map(({ key }) => key), ...counts.keys()]);
    return { ...flag, served: Array.from(keys, (key) => ({ key, n: counts.get(key) ?? 0 })) };
  });
}
