import { earlierContent, hasOmittedParts } from "../../core/audit/earlier-content.ts";
import { isSame } from "../../core/audit/changed-fields.ts";
import { conflict } from "../../core/errors/api-error.ts";
import {
  servedVariants,
  type StrategyContent,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import { auditedStrategy, fromAudited } from "../../core/strategies/view.ts";
import { type LastChange, lastChangesOf } from "../audit/queries.ts";
import type { WriteContext } from "../context.ts";
import { type BulkResult, type BulkTarget, naming } from "../flags/bulk.ts";
import { repeatStale } from "../optimistic-update.ts";
import { assertInEnvironment } from "../scope.ts";
import { bulkStrategiesOf, replaceStrategies } from "./bulk.ts";
import { segmentsInProject, type StrategyRow } from "./queries.ts";
import { recordedStrategy } from "./recorded.ts";

interface RevertStrategies {
  readonly environmentId: number;
  readonly flags: readonly BulkTarget[];
}

/**
 * Undoes the last change of the strategies of flags in one environment, in one transaction. The
 * number of SQL statements does not depend on the number of flags. Each audit record names the
 * record that it reverts.
 * Throws: 403 for an API key of another environment, 404 for an unknown environment or a flag that
 * its project does not have, 409 for a strategy without an earlier state that can be restored and
 * for an archived flag that would be switched on, 402 if the rules of the environment would become
 * too large, 412 for a strategy with another version than the request demands. The error names the
 * flags.
 */
export async function revertStrategies(
  ctx: WriteContext,
  { environmentId, flags: targets }: RevertStrategies,
): Promise<BulkResult> {
  assertInEnvironment(ctx.actor, environmentId);
  return repeatStale(async () => {
    const bulk = await bulkStrategiesOf(ctx, environmentId, targets);
    const ids = bulk.rows.map(({ flagId }) => flagId);
    const records = await lastChangesOf(ctx.db, { action: "strategy.updated", environmentId, ids });
    const byFlag = new Map(records.map((record) => [record.entityId, record]));
    assertNone(bulk.rows, "These flags have no change that can be undone", ({ flagId }) => {
      return !byFlag.has(flagId);
    });
    const earlier = new Map(
      bulk.rows.map((row) => [row.flagId, contentBefore(row, byFlag.get(row.flagId))]),
    );
    const contentOf = ({ flagId, content }: StrategyRow) => earlier.get(flagId) ?? content;
    assertNone(
      bulk.rows,
      "The earlier state of these flags was too large for the audit trail",
      (row) => earlier.get(row.flagId) === undefined,
    );
    assertNone(
      bulk.rows,
      "The earlier state of these flags serves variants that they no longer have",
      (row) => servedVariants(contentOf(row)).some((key) => !row.flag.variants.includes(key)),
    );
    return replaceStrategies(ctx, bulk, {
      contentOf,
      revertsId: ({ flagId }) => byFlag.get(flagId)?.id,
      guards: (changing) => [
        {
          holds: segmentsInProject(bulk.projectId, [
            ...new Set(changing.flatMap(({ content }) => usedSegments(content))),
          ]),
          error: conflict("The earlier state of a flag uses a segment that no longer exists"),
        },
      ],
    });
  });
}

/**
 * Returns the strategy before its last change: `row.content` itself if the change altered nothing.
 * Undefined if the audit trail does not have the whole strategy.
 */
function contentBefore(
  { content, flag: { variants } }: StrategyRow,
  change: LastChange | undefined,
): StrategyContent | undefined {
  const now = { ...auditedStrategy(content, variants) };
  const before = earlierContent(now, change ? [change] : []);
  if (Object.values(before).some(hasOmittedParts)) return undefined;
  if (isSame(before, now)) return content;
  const { data } = recordedStrategy.safeParse(before);
  return data && fromAudited(data);
}

/** Throws: 409 with the keys of the flags to which a condition applies. */
function assertNone(
  rows: readonly StrategyRow[],
  message: string,
  applies: (row: StrategyRow) => boolean,
): void {
  const keys = rows.filter(applies).map(({ flag }) => flag.key);
  if (keys.length > 0) throw conflict(naming(message, keys));
}
