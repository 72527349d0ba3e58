import { rulesOfFlags } from "../../db/rule-changes.ts";
import type { WriteContext } from "../context.ts";
import { type BulkResult, type BulkTarget, recordedTogether } from "../flags/bulk.ts";
import { repeatStale, staleRow } from "../optimistic-update.ts";
import { assertInEnvironment } from "../scope.ts";
import { assertNoneArchived, bulkStrategiesOf } from "./bulk.ts";
import { updatedStrategy } from "./changes.ts";
import * as queries from "./queries.ts";

interface SwitchFlags {
  readonly environmentId: number;
  readonly enabled: boolean;
  readonly flags: readonly BulkTarget[];
}

/**
 * Switches flags on or off in one environment, in one transaction. The number of SQL statements does
 * not depend on the number of flags. An archived flag can be switched off only.
 * Throws: 403 for an API key of another environment, 404 for an unknown environment or a flag that
 * its project does not have, 409 for an archived flag that would be switched on, 412 for a strategy
 * with another version than the request demands. The error names the flags.
 */
export async function switchFlags(
  ctx: WriteContext,
  { environmentId, enabled, flags: targets }: SwitchFlags,
): Promise<BulkResult> {
  assertInEnvironment(ctx.actor, environmentId);
  return repeatStale(async () => {
    const { projectId, flags, rows } = await bulkStrategiesOf(ctx, environmentId, targets);
    if (enabled) assertNoneArchived(flags);
    const isDone = ({ content }: queries.StrategyRow) => content.enabled === enabled;
    const unchanged = rows.filter(isDone).map(({ flagId }) => flagId);
    const changing = rows.filter((row) => !isDone(row));
    const changed = changing.map(({ flagId }) => flagId);
    const [first, ...others] = changing.map((row) =>
      updatedStrategy(row, { ...row.content, enabled }),
    );
    if (!first) return { changed, unchanged, revisions: [] };
    const revisions = await ctx.commit({
      guards: [
        { holds: queries.strategiesHaveVersions(environmentId, changing), error: staleRow },
        ...(enabled ? [{ holds: queries.flagsNotArchived(changed), error: staleRow }] : []),
      ],
      statements: queries.setEnabled(environmentId, { flagIds: changed, enabled, now: ctx.now() }),
      ...recordedTogether(first, others),
      ruleChanges: rulesOfFlags({ projectId, environmentId }, changed),
      // Tries again if a flag or the environment was deleted after it was read. The next attempt
      // throws the error that names it.
      onForeignKey: staleRow,
    });
    return { changed, unchanged, revisions };
  });
}
