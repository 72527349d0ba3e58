import { invalid, notFound } from "../../core/errors/api-error.ts";
import { mergeStrategy, type StrategyChange } from "../../core/strategies/change.ts";
import { type StrategyContent, usedSegments } from "../../core/strategies/strategy.ts";
import { movesOf } from "../../core/strategies/moves.ts";
import { strategyErrors } from "../../core/strategies/validate.ts";
import type { Revision, SingleChange } from "../../db/commit.ts";
import type { SizeGuard } from "../../db/quota.ts";
import { mayGrow, ruleBytesWithStrategies } from "../../db/rule-bytes.ts";
import { ruleInEnvironment } from "../../db/rule-changes.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import { findFlag } from "../flags/queries.ts";
import { optimisticUpdate, staleRow } from "../optimistic-update.ts";
import { assertInEnvironment, assertInScope } from "../scope.ts";
import { updatedStrategy } from "./changes.ts";
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
  return queries.strategiesOf(db, [flag], undefined);
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
  const row = await queries.findStrategy(db, flagId, environmentId);
  if (!row) {
    const flag = await findFlag(db, flagId);
    if (flag) assertInScope(actor, flag.projectId);
    throw notFound(
      flag ? "The environment does not exist in the flag's project" : "The flag does not exist",
    );
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

/**
 * Changes a strategy and returns it with the new revision of the environment. An API key may write
 * only to its own environment; users and the system may write to every environment.
 * Throws: 400 for variants that the flag does not have and for ids of rules that the strategy does
 * not have, 403 for an API key of another environment, 404 for an unknown flag, environment or
 * segment, 402 if the rules of the environment would become too large, 412 if `ifMatch` does not
 * contain the current version.
 */
export async function setStrategy(
  ctx: WriteContext,
  { ifMatch, change, dryRun = false, ...id }: SetStrategy,
): Promise<WrittenStrategy> {
  assertInEnvironment(ctx.actor, id.environmentId);
  const read = () => getStrategy(ctx, id);
  return optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const after = changedContent(row, change);
      const revisions = await ctx.commit({ ...commitOf(row, after, ctx.now()), dryRun });
      if (!dryRun) return { row: await read(), revisions };
      const moves = movesOf(row.flag, row.content, after);
      return { row: { ...row, content: after }, revisions, moves };
    },
  });
}

/** Returns the strategy after a change. Throws: 400. */
function changedContent({ content, flag }: StrategyRow, change: StrategyChange): StrategyContent {
  const { variants } = flag;
  const errors = strategyErrors(change, content.rules, variants);
  if (errors.length > 0) throw invalid(errors);
  return mergeStrategy(content, change, { variants, newRuleId });
}

/** Returns the change that replaces the content of a strategy. */
export function commitOf(row: StrategyRow, after: StrategyContent, now: number): SingleChange {
  const { flagId, flag, environmentId, content: before } = row;
  const { projectId } = flag;
  return {
    guards: [
      { holds: queries.strategyHasVersion(row), error: staleRow },
      // Tries again if the flag lost a variant that the strategy serves. The next attempt finds out
      // which variant.
      { holds: queries.variantsOfFlag(flagId, after), error: staleRow },
      {
        holds: queries.segmentsInProject(projectId, usedSegments(after)),
        error: notFound("A segment does not exist in the flag's project"),
      },
      ...sizeGuards(environmentId, before, after),
    ],
    statements: queries.setStrategy(row, after, now),
    ...updatedStrategy(row, after),
    ruleChanges: ruleInEnvironment(environmentId, flag),
    // Tries again if the flag or the environment was deleted after the strategy was read. The next
    // attempt finds out which of the two.
    onForeignKey: staleRow,
  };
}

/** Returns a random id of 10 lower-case letters and digits. */
export const newRuleId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => (byte % 36).toString(36)).join(
    "",
  );

/**
 * Returns the guard that limits the size of the environment's rules; none if the change cannot make
 * the rules larger. Such a change, for example switching a flag off, is always allowed.
 */
function sizeGuards(
  environmentId: number,
  before: StrategyContent,
  after: StrategyContent,
): SizeGuard[] {
  return mayGrow(before, after)
    ? [
        {
          quota: "RULE_BYTES",
          bytes: ruleBytesWithStrategies({ environmentId, before: [before], after: [after] }),
        },
      ]
    : [];
}
