import { ApiError, notFound } from "../../core/errors/api-error.ts";
import { mergeStrategy, type StrategyChange } from "../../core/strategies/strategy.ts";
import type { Revision } from "../../db/commit.ts";
import { ruleInEnvironment } from "../../db/rule-changes.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import { findFlag } from "../flags/queries.ts";
import { optimisticUpdate, staleRow } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";
import type { StrategyRow } from "./queries.ts";

interface StrategyId {
  readonly flagId: number;
  readonly environmentId: number;
}

/**
 * Returns the strategies of a flag in all environments of its project.
 * Throws: 403 for an API key of another project, 404 for an unknown flag.
 */
export async function listStrategies(
  { db, actor }: ReadContext,
  { flagId }: Pick<StrategyId, "flagId">,
): Promise<StrategyRow[]> {
  const flag = await findFlag(db, flagId);
  if (!flag) throw notFound("The flag does not exist");
  assertInScope(actor, flag.projectId);
  return queries.strategiesOf(db, [flagId], undefined);
}

/**
 * Returns the strategy of a flag in one environment.
 * Throws: 403 for an API key of another project, 404 for an unknown flag or an environment that is
 * not in the flag's project.
 */
export async function getStrategy(
  { db, actor }: ReadContext,
  { flagId, environmentId }: StrategyId,
): Promise<StrategyRow> {
  const [row] = await queries.strategiesOf(db, [flagId], environmentId);
  if (!row) {
    const flag = await findFlag(db, flagId);
    if (flag) assertInScope(actor, flag.projectId);
    throw notFound(flag ? "The environment does not exist" : "The flag does not exist");
  }
  assertInScope(actor, row.flag.projectId);
  return row;
}

interface SetStrategy extends StrategyId {
  /**
   * The versions of the strategy that the request header `If-Match` accepts. Undefined accepts
   * every version.
   */
  readonly ifMatch: readonly number[] | undefined;
  readonly change: StrategyChange;
}

/**
 * Changes a strategy and returns it with the new revision of the environment. An API key may write
 * only to its own environment; users and the system may write to every environment.
 * Throws: 403 for an API key of another environment, 404 for an unknown flag, environment or
 * segment, 412 if `ifMatch` does not contain the current version.
 */
export async function setStrategy(
  ctx: WriteContext,
  { ifMatch, change, ...id }: SetStrategy,
): Promise<{ readonly row: StrategyRow; readonly revisions: readonly Revision[] }> {
  const { flagId, environmentId } = id;
  if (ctx.actor.kind === "key" && ctx.actor.environmentId !== environmentId)
    throw new ApiError("FORBIDDEN", "The API key belongs to another environment");
  const read = () => getStrategy(ctx, id);
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const before = row.content;
      const after = mergeStrategy(before, change);
      const { flag } = row;
      return ctx.commit({
        guards: [
          { holds: queries.strategyHasVersion(row), error: staleRow },
          {
            holds: queries.segmentsInProject(flag.projectId, after.segmentIds),
            error: notFound("A segment of the strategy does not exist"),
          },
        ],
        statements: queries.setStrategy(row, after, ctx.now()),
        audit: [
          {
            action: "strategy.updated",
            entityType: "flag",
            entityId: flagId,
            projectId: flag.projectId,
            environmentId,
            before,
            after,
          },
        ],
        events: [
          {
            type: "flag.updated",
            projectId: flag.projectId,
            entityId: flagId,
            data: {
              flag: { key: flag.key, name: flag.name },
              environment: { id: environmentId, name: row.environmentName },
              strategy: after,
            },
          },
        ],
        ruleChanges: ruleInEnvironment(environmentId, flag),
        // The flag or the environment was deleted after the strategy was read. The retry finds out
        // which of the two.
        onForeignKey: staleRow,
      });
    },
  });
  return { row: await read(), revisions };
}
