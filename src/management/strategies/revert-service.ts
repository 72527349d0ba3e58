import { conflict } from "../../core/errors/api-error.ts";
import {
  type StrategyContent,
  servedVariants,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import { auditedStrategy, fromAudited } from "../../core/strategies/view.ts";
import type { WriteContext } from "../context.ts";
import { optimisticUpdate } from "../optimistic-update.ts";
import {
  commitRevert,
  contentBefore,
  noEarlierState,
  type Revert,
  type Reverted,
  revertedRecord,
  toReverted,
} from "../revert.ts";
import { assertInEnvironment } from "../scope.ts";
import * as queries from "./queries.ts";
import { recordedStrategy } from "./recorded.ts";
import type { StrategyRow } from "./queries.ts";
import { commitOf, getStrategy } from "./service.ts";

/**
 * Restores a strategy as it was before an audit record, with its rules, their ids and its slots.
 * `id` is the id of the flag. An API key may revert only in its own environment.
 * Throws: 403 for an API key of another environment, 404 for an unknown flag, record or environment,
 * 409 if the segments or variants of the earlier state do not exist any more, 402 if the rules of
 * the environment would become too large, 412 if `ifMatch` does not contain the current version.
 */
export async function revertStrategy(ctx: WriteContext, revert: Revert): Promise<Reverted> {
  const { id: flagId, ifMatch } = revert;
  const record = await revertedRecord(ctx.db, "flag", revert);
  const { environmentId } = record;
  if (record.action !== "strategy.updated" || environmentId === null)
    throw noEarlierState("revert a record of the action strategy.updated");
  assertInEnvironment(ctx.actor, environmentId);
  const read = () => getStrategy(ctx, { flagId, environmentId });
  const done = await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const now = { ...auditedStrategy(row.content, row.flag.variants) };
      const recorded = { now, schema: recordedStrategy };
      const after = fromAudited(await contentBefore(ctx.db, record, recorded));
      await assertUsable(ctx, row, after);
      const change = commitOf(row, after, ctx.now());
      return { ...(await commitRevert(ctx, revert, change)), version: row.version };
    },
  });
  const version = revert.dryRun ? done.version : (await read()).version;
  return toReverted(ctx.db, revert, { ...done, entityType: "flag", entityId: flagId, version });
}

/** Throws: 409 if a variant or a segment of the strategy does not exist any more. */
async function assertUsable(
  ctx: WriteContext,
  { flag }: StrategyRow,
  content: StrategyContent,
): Promise<void> {
  const gone = servedVariants(content).filter((variant) => !flag.variants.includes(variant));
  if (gone.length > 0)
    throw conflict(
      `The earlier state serves variants that the flag no longer has: ${gone.join(", ")}`,
    );
  const segments = await queries.missingSegments(ctx.db, flag.projectId, usedSegments(content));
  if (segments.length > 0)
    throw conflict(`The earlier state uses segments that no longer exist: ${segments.join(", ")}`);
}
