import { conflict } from "../../core/errors/api-error.ts";
import {
  type StrategyContent,
  servedVariants,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import { auditedStrategy, fromAudited } from "../../core/strategies/view.ts";
import type { ReadDb } from "../../db/database.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import {
  contentBefore,
  noEarlierState,
  type Revert,
  type Reverted,
  revertedRecord,
  restoringOperation,
  type Reversal,
  runRevert,
} from "../../changes/revert.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import { strategyKey } from "../../changes/plan/state.ts";
import { missingSegments, type StrategyRow } from "../../model/strategies/queries.ts";
import { recordedStrategy } from "../../changes/recorded-strategy.ts";
import { getStrategy } from "./service.ts";

/**
 * Restores a strategy as it was before an audit record, with its rules, their ids and its slots.
 * `id` is the id of the flag. An API key may revert only in its own environment.
 * Throws: 403 for an API key of another environment, 404 for an unknown flag, record or environment,
 * 409 if the segments or variants of the earlier state do not exist any more, 402 if the rules of
 * the environment would become too large, 412 if `ifMatch` does not contain the current version.
 */
export const revertStrategy = async (call: Call, revert: Revert): Promise<Reverted> =>
  runRevert(call, revert, await reversalOf(call, revert));

/**
 * Returns the operation of `revertStrategy`, for a change request. Throws: as `revertStrategy`, but
 * not the 402.
 */
export const revertingStrategy = async (call: Call, revert: Revert): Promise<Operation> =>
  restoringOperation(revert, await reversalOf(call, revert));

async function reversalOf(call: Call, revert: Revert): Promise<Reversal> {
  const { id: flagId } = revert;
  const ctx = reads(call, "strategy:write");
  const { db } = ctx;
  const record = await revertedRecord(ctx, "flag", revert);
  const { projectId, environmentId } = record;
  if (record.action !== "strategy.updated" || environmentId === null)
    throw noEarlierState("revert a record of the action strategy.updated");
  writes(call, "strategy:write", { projectId, environmentId });
  const target = { flag: { flagId }, environmentId };
  return {
    restore: async () => {
      const row = await getStrategy(call, { flagId, environmentId });
      const now = { ...auditedStrategy(row.content, row.flag.variants) };
      const recorded = { now, schema: recordedStrategy };
      const input = fromAudited(await contentBefore(db, record, recorded));
      await assertUsable(db, row, input);
      return { operation: { kind: "strategy.replace", target, input }, version: row.version };
    },
    rowOf: ({ strategies }) => {
      const row = strategies.get(strategyKey(flagId, environmentId));
      return row && { id: flagId, version: row.version };
    },
  };
}

/** Throws: 409 if a variant or a segment of the strategy does not exist any more. */
async function assertUsable(
  db: ReadDb,
  { flag }: StrategyRow,
  content: StrategyContent,
): Promise<void> {
  const gone = servedVariants(content).filter((variant) => !flag.variants.includes(variant));
  if (gone.length > 0)
    throw conflict(
      `The earlier state serves variants that the flag no longer has: ${gone.join(", ")}`,
    );
  const segments = await missingSegments(db, flag.projectId, usedSegments(content));
  if (segments.length > 0)
    throw conflict(`The earlier state uses segments that no longer exist: ${segments.join(", ")}`);
}
