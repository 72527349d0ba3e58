import { conflict, notFound } from "../../core/errors/api-error.ts";
import { rulesOfFlags } from "../../db/rule-changes.ts";
import type { WriteContext } from "../context.ts";
import { findEnvironment } from "../environments/queries.ts";
import {
  assertVersions,
  type BulkResult,
  type BulkTarget,
  flagsOf,
  naming,
  recordedTogether,
} from "../flags/bulk.ts";
import { repeatStale, staleRow } from "../optimistic-update.ts";
import { assertInEnvironment } from "../scope.ts";
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
    const environment = await findEnvironment(ctx.db, environmentId);
    if (!environment) throw notFound("The environment does not exist");
    const { projectId } = environment;
    const flags = await flagsOf(ctx.db, projectId, targets);
    if (enabled) assertNoneArchived(flags);
    const rows = await rowsOf(ctx, flags, environmentId);
    assertVersions(
      targets,
      rows.map(({ flag: { key }, version }) => ({ key, version })),
    );
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
      // A flag or the environment was deleted after it was read. The next attempt finds out which.
      onForeignKey: staleRow,
    });
    return { changed, unchanged, revisions };
  });
}

/** Returns the strategies of the flags, in their order. Throws `staleRow` if one is missing. */
async function rowsOf(
  { db }: WriteContext,
  flags: Awaited<ReturnType<typeof flagsOf>>,
  environmentId: number,
): Promise<queries.StrategyRow[]> {
  const rows = await queries.strategiesOf(db, flags, environmentId);
  const byFlag = new Map(rows.map((row) => [row.flagId, row]));
  return flags.map(({ id }) => {
    const row = byFlag.get(id);
    // The flag or the environment was deleted between the two reads.
    if (!row) throw staleRow;
    return row;
  });
}

/** Throws: 409 with the keys of the archived flags. */
function assertNoneArchived(flags: Awaited<ReturnType<typeof flagsOf>>): void {
  const archived = flags.filter((flag) => flag.archived).map(({ key }) => key);
  if (archived.length > 0)
    throw conflict(
      naming("Archived flags cannot be switched on; unarchive them, or leave them out", archived),
    );
}
