import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { StrategyContent } from "../../core/strategies/strategy.ts";
import type { Guard } from "../../db/commit.ts";
import { mayGrow, ruleBytesWithStrategies } from "../../db/rule-bytes.ts";
import { rulesOfFlags } from "../../db/rule-changes.ts";
import { flags as flagsTable } from "../../db/schema/projects.ts";
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
import type { RecordedChange } from "../flags/changes.ts";
import type { FlagWithTags } from "../flags/queries.ts";
import { allUnchanged, staleRow } from "../optimistic-update.ts";
import { updatedStrategy } from "./changes.ts";
import * as queries from "./queries.ts";
import type { StrategyRow } from "./queries.ts";

/** Functions for the bulk changes of strategies (docs/decisions.md, 2.22). */

/** The strategies of flags in one environment, both in the order of the request. */
export interface BulkStrategies {
  readonly projectId: number;
  readonly environmentId: number;
  readonly flags: readonly FlagWithTags[];
  readonly rows: readonly StrategyRow[];
}

/**
 * Returns the strategies that a bulk change is about.
 * Throws: 404 for an unknown environment or a flag that its project does not have, 412 for a
 * strategy with another version than the request demands.
 */
export async function bulkStrategiesOf(
  ctx: WriteContext,
  environmentId: number,
  targets: readonly BulkTarget[],
): Promise<BulkStrategies> {
  const environment = await findEnvironment(ctx.db, environmentId);
  if (!environment) throw notFound("The environment does not exist");
  const { projectId } = environment;
  const flags = await flagsOf(ctx.db, projectId, targets);
  const rows = await strategiesIn(ctx, flags, environmentId);
  assertStrategyVersions(targets, rows);
  return { projectId, environmentId, flags, rows };
}

/**
 * Throws: 412 with the keys of the flags whose strategy does not have the version in the request.
 */
export const assertStrategyVersions = (
  targets: readonly BulkTarget[],
  rows: readonly StrategyRow[],
): void =>
  assertVersions(
    targets,
    rows.map(({ flag: { key }, version }) => ({ key, version })),
  );

/**
 * Returns the strategies of the flags in an environment, in the order of the flags. Throws
 * `staleRow` if a strategy is missing.
 */
export async function strategiesIn(
  { db }: WriteContext,
  flags: readonly FlagWithTags[],
  environmentId: number,
): Promise<StrategyRow[]> {
  const rows = await queries.strategiesOf(db, flags, environmentId);
  const byFlag = new Map(rows.map((row) => [row.flagId, row]));
  return flags.map(({ id }) => {
    const row = byFlag.get(id);
    // Tries again: the flag or the environment was deleted between the two reads.
    if (!row) throw staleRow;
    return row;
  });
}

/** Throws: 409 with the keys of the archived flags among the given flags. */
export function assertNoneArchived(flags: readonly FlagWithTags[]): void {
  const archived = flags.filter((flag) => flag.archived).map(({ key }) => key);
  if (archived.length > 0)
    throw conflict(
      naming("Archived flags cannot be switched on; unarchive them, or leave them out", archived),
    );
}

/** How a bulk change replaces strategies. */
interface Replacement {
  /** Returns the strategy of a flag after the change: `row.content` itself if it stays as it is. */
  readonly contentOf: (row: StrategyRow, n: number) => StrategyContent;
  /** Returns the id of the audit record that the change of a strategy reverts. */
  readonly revertsId?: (row: StrategyRow) => number | undefined;
  /**
   * Returns further guards, besides those for changed flags, changed strategies and the size of the
   * rules.
   */
  readonly guards?: (changing: readonly queries.NewContent[]) => readonly Guard[];
}

/**
 * Replaces the content of strategies in one environment, in one transaction.
 * Throws: 402 if the rules of the environment would become too large, 409 for an archived flag that
 * would be switched on, `staleRow` if a flag or a strategy has changed since it was read.
 */
export async function replaceStrategies(
  ctx: WriteContext,
  { projectId, environmentId, flags, rows }: BulkStrategies,
  { contentOf, revertsId, guards }: Replacement,
): Promise<BulkResult> {
  const all = rows.map((row, n) => ({ row, content: contentOf(row, n) }));
  const changing = all.filter(({ row, content }) => content !== row.content);
  const changed = changing.map(({ row }) => row.flagId);
  const isChanged = new Set(changed);
  const unchanged = rows.map(({ flagId }) => flagId).filter((id) => !isChanged.has(id));
  const changingFlags = flags.filter(({ id }) => isChanged.has(id));
  const switchedOn = new Set(
    changing
      .filter(({ row, content }) => content.enabled && !row.content.enabled)
      .map(({ row }) => row.flagId),
  );
  assertNoneArchived(flags.filter(({ id }) => switchedOn.has(id)));
  const [first, ...others] = changing.map(({ row, content }) =>
    reverting(updatedStrategy(row, content), revertsId?.(row)),
  );
  if (!first) return { changed, unchanged, revisions: [] };
  const revisions = await ctx.commit({
    guards: [
      {
        holds: queries.strategiesHaveVersions(
          environmentId,
          changing.map(({ row }) => row),
        ),
        error: staleRow,
      },
      // Fails if a flag's variants have changed, or the flag was archived, since it was read.
      allUnchanged(flagsTable, changingFlags),
      ...(guards?.(changing) ?? []),
      ...sizeGuards(environmentId, changing),
    ],
    statements: queries.setStrategies(environmentId, changing, ctx.now()),
    ...recordedTogether(first, others),
    ruleChanges: rulesOfFlags({ projectId, environmentId }, changed),
    // Tries again if a flag or the environment was deleted after it was read. The next attempt
    // throws the error that names it.
    onForeignKey: staleRow,
  });
  return { changed, unchanged, revisions };
}

const reverting = ({ audit: [entry], events }: RecordedChange, revertsId?: number) =>
  ({ audit: [{ ...entry, revertsId }], events }) satisfies RecordedChange;

/** Returns the guard that limits the size of the rules; none if no strategy can become larger. */
function sizeGuards(
  environmentId: number,
  changing: readonly queries.NewContent[],
): readonly Guard[] {
  if (!changing.some(({ row, content }) => mayGrow(row.content, content))) return [];
  const before = changing.map(({ row }) => row.content);
  const after = changing.map(({ content }) => content);
  return [
    { quota: "RULE_BYTES", bytes: ruleBytesWithStrategies({ environmentId, before, after }) },
  ];
}
