import { notFound } from "../../core/errors/api-error.ts";
import { changedShareOf } from "../../core/strategies/changed-variants.ts";
import type { Revision } from "../../db/commit.ts";
import { inList } from "../../db/json-list.ts";
import { type Call, reads } from "../../access/call.ts";
import { findFlag } from "../../model/flags/queries.ts";
import { readFitting } from "../../db/list-bytes.ts";
import { execute } from "../../changes/execute.ts";
import type { OperationOf, StrategyInput } from "../../changes/plan/operation.ts";
import { strategyKey } from "../../changes/plan/state.ts";
import { inScope } from "../../access/scope.ts";
import {
  findStrategies,
  strategiesOf,
  strategyBytes,
  type StrategyRow,
} from "../../model/strategies/queries.ts";

const missingFlag = () => notFound("The flag does not exist");

interface StrategyId {
  readonly flagId: number;
  readonly environmentId: number;
}

/**
 * Returns the strategies of a flag in all environments of its project.
 * Throws: 403 for an API key of another project, 404 for an unknown flag.
 */
export async function listStrategies(
  call: Call,
  { flagId }: Pick<StrategyId, "flagId">,
): Promise<StrategyRow[]> {
  const ctx = reads(call, "strategy:read");
  const { db } = ctx;
  const flag = inScope(ctx, await findFlag(db, flagId), missingFlag());
  const bytes = strategyBytes(inList([flagId]));
  const advice = "read one environment with GET /api/v1/flags/{flagId}/strategies/{environmentId}";
  return readFitting(db, { bytes, advice }, (condition) =>
    strategiesOf(db, [flag], undefined, { condition }),
  );
}

/**
 * Returns the strategy of a flag in one environment.
 * Throws: 403 for an API key of another project, 404 for an unknown flag or an environment that is
 * not in the flag's project.
 */
export async function getStrategy(call: Call, id: StrategyId): Promise<StrategyRow> {
  const ctx = reads(call, "strategy:read");
  const { db } = ctx;
  const [row] = await findStrategies(db, [id]);
  inScope(ctx, row?.flag ?? (await findFlag(db, id.flagId)), missingFlag());
  if (!row) throw notFound("The environment does not exist in the flag's project");
  return row;
}

interface SetStrategy extends StrategyId {
  /**
   * The versions of the strategy that the request header `If-Match` accepts. Undefined accepts
   * every version.
   */
  readonly ifMatch: readonly number[] | undefined;
  readonly change: StrategyInput;
  /** Checks the change, and writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

interface WrittenStrategy {
  /** The strategy after the change. After a dry run, it has the version and time from before. */
  readonly row: StrategyRow;
  readonly revisions: readonly Revision[];
  /** In a dry run: the share of users who would get another variant, as `movesOf` returns it. */
  readonly moves?: number;
}

/** Returns the operation that changes a strategy. */
export const settingStrategy = ({
  flagId,
  environmentId,
  ifMatch,
  change,
}: SetStrategy): OperationOf<"strategy.set"> => ({
  kind: "strategy.set",
  target: { flag: { flagId }, environmentId },
  ifMatch,
  input: change,
});

/**
 * Changes a strategy and returns it with the new revision of the environment. An API key may write
 * only to its own environment; users and the system may write to every environment.
 * Throws: 400 for variants that the flag does not have and for ids of rules that the strategy does
 * not have, 403 for an API key of another environment, 404 for an unknown flag, environment or
 * segment, 402 if the rules of the environment would become too large, 412 if `ifMatch` does not
 * contain the current version.
 */
export async function setStrategy(
  call: Call,
  { flagId, environmentId, ifMatch, change, dryRun = false }: SetStrategy,
): Promise<WrittenStrategy> {
  const operation = settingStrategy({ flagId, environmentId, ifMatch, change });
  const { work, revisions } = await execute(call, [operation], { dryRun });
  const key = strategyKey(flagId, environmentId);
  const [before, row] = [work.initial.strategies.get(key), work.strategies.get(key)];
  if (!before || !row) throw new Error("The plan must have the written strategy");
  if (!dryRun) return { row, revisions };
  const moves = changedShareOf(row.flag, before.content, row.content);
  return { row: { ...before, content: row.content }, revisions, moves };
}
