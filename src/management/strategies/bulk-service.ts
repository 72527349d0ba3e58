import { notFound } from "../../core/errors/api-error.ts";
import { type Call, type Reading, reads } from "../../access/call.ts";
import { findEnvironment } from "../../model/environments/queries.ts";
import {
  bulkOperations,
  type BulkOperations,
  type BulkResult,
  type BulkTarget,
  executeBulk,
} from "../../changes/bulk.ts";
import { inScope } from "../../access/scope.ts";

interface InEnvironment<Target = BulkTarget> {
  readonly environmentId: number;
  readonly flags: readonly Target[];
}

interface SwitchFlags extends InEnvironment {
  readonly enabled: boolean;
}

/**
 * Switches flags on or off in one environment, in one transaction. An archived flag can be switched
 * off only.
 * Throws: 403 for an API key of another environment, 404 for an unknown environment or a flag that
 * its project does not have, 409 for an archived flag that would be switched on, 412 for a strategy
 * with another version than the request demands. The error names the flags.
 */
export const switchFlags = async (call: Call, change: SwitchFlags): Promise<BulkResult> =>
  executeBulk(call, await switchingFlags(call, change));

/** Returns the operations that switch flags. Throws: 403 and 404, as `switchFlags`. */
export async function switchingFlags(
  call: Call,
  { environmentId, enabled, flags }: SwitchFlags,
): Promise<BulkOperations> {
  const ctx = reads(call, "strategy:write", { environmentId });
  const projectId = await projectOf(ctx, environmentId);
  return bulkOperations(projectId, flags, (flagId) => ({
    kind: "strategy.switch",
    target: { flag: { flagId }, environmentId },
    input: enabled,
  }));
}

interface CopiedFlag extends BulkTarget {
  /** The version that the strategy in the source environment must have. Undefined: any. */
  readonly fromVersion?: number | undefined;
}

interface CopyStrategies extends InEnvironment<CopiedFlag> {
  readonly fromEnvironmentId: number;
  /** Whether to copy the state (on or off), too. */
  readonly withState: boolean;
}

/**
 * Copies the strategies of flags from a source environment to a target environment of the same
 * project, in one transaction.
 * Throws: 403 for an API key whose environment is not the target, 404 for an unknown environment or
 * a flag that its project does not have, 409 for an archived flag that would be switched on, 402 if
 * the rules of the environment would become too large, 412 for a strategy with another version than
 * the request demands. The error names the flags.
 */
export const copyStrategies = async (call: Call, change: CopyStrategies): Promise<BulkResult> =>
  executeBulk(call, await copyingStrategies(call, change));

/** Returns the operations that copy strategies. Throws: 403 and 404, as `copyStrategies`. */
export async function copyingStrategies(
  call: Call,
  { environmentId, fromEnvironmentId, withState, flags }: CopyStrategies,
): Promise<BulkOperations> {
  const ctx = reads(call, "strategy:write", { environmentId });
  const projectId = await projectOf(ctx, environmentId);
  const source = await findEnvironment(ctx.db, fromEnvironmentId);
  if (source?.projectId !== projectId)
    throw notFound("The source environment does not exist in the project");
  return bulkOperations(projectId, flags, (flagId, { fromVersion }) => ({
    kind: "strategy.copy",
    target: { flag: { flagId }, environmentId },
    input: {
      fromEnvironmentId,
      ifMatchSource: fromVersion === undefined ? undefined : [fromVersion],
      withState,
    },
  }));
}

/** Returns the project of the environment of a bulk change. Throws: 404, 403. */
export async function projectOf(ctx: Reading, environmentId: number): Promise<number> {
  const environment = await findEnvironment(ctx.db, environmentId);
  return inScope(ctx, environment, notFound("The environment does not exist")).projectId;
}
