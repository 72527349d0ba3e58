import { earlierContent, hasOmittedParts } from "../../core/audit/earlier-content.ts";
import { isSame } from "../../core/audit/changed-fields.ts";
import { conflict } from "../../core/errors/api-error.ts";
import { naming } from "../../core/errors/naming.ts";
import {
  DEFAULT_STRATEGY,
  servedVariants,
  type StrategyContent,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import { auditedStrategy, fromAudited } from "../../core/strategies/view.ts";
import { type LastRecord, lastChangesOf } from "../../model/audit/queries.ts";
import { type Call, reads } from "../../access/call.ts";
import {
  assertNoFaults,
  bulkOperations,
  type BulkOperations,
  type BulkResult,
  type BulkTarget,
  executeRead,
} from "../../changes/bulk.ts";
import type { Fault } from "../../changes/plan/state.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import { projectOf } from "./bulk-service.ts";
import {
  findStrategies,
  missingSegments,
  type StrategyRow,
} from "../../model/strategies/queries.ts";
import { recordedStrategy } from "../../changes/recorded-strategy.ts";

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
export const revertStrategies = (call: Call, change: RevertStrategies): Promise<BulkResult> =>
  repeatStale(async () => executeRead(call, await revertingStrategies(call, change)));

/** Returns the operations that undo the last changes. Throws: as `revertStrategies`. */
export async function revertingStrategies(
  call: Call,
  { environmentId, flags: targets }: RevertStrategies,
): Promise<BulkOperations> {
  const ctx = reads(call, "strategy:write", { environmentId });
  const projectId = await projectOf(ctx, environmentId);
  const { db } = ctx;
  const ids = targets.map(({ id }) => id);
  const pairs = ids.map((flagId) => ({ flagId, environmentId }));
  const rows = new Map(
    (await findStrategies(db, pairs))
      .filter(({ flag }) => flag.projectId === projectId)
      .map((row) => [row.flagId, row]),
  );
  const records = await lastChangesOf(db, { action: "strategy.updated", environmentId, ids });
  const byFlag = new Map(records.map((record) => [record.entityId, record]));
  assertNoFaults(targets.flatMap(({ id, version }) => faultsOf(id, rows.get(id), version)));
  const all = [...rows.values()];
  assertNone(all, "These flags have no change that can be undone", ({ flagId }) => {
    return !byFlag.has(flagId);
  });
  const earlier = new Map(
    all.map((row) => [row.flagId, contentBefore(row, byFlag.get(row.flagId))]),
  );
  const contentOf = ({ flagId, content }: StrategyRow) => earlier.get(flagId) ?? content;
  assertNone(
    all,
    "The earlier state of these flags was too large for the audit trail",
    (row) => earlier.get(row.flagId) === undefined,
  );
  assertNone(
    all,
    "The earlier state of these flags serves variants that they no longer have",
    (row) => servedVariants(contentOf(row)).some((key) => !row.flag.variants.includes(key)),
  );
  assertNoFaults(
    all.flatMap((row) =>
      row.flag.archived && contentOf(row).enabled && !row.content.enabled
        ? [{ fault: "archived", subject: row.flag.key }]
        : [],
    ),
  );
  const gone = await missingSegments(db, projectId, [
    ...new Set(all.flatMap((row) => usedSegments(contentOf(row)))),
  ]);
  if (gone.length > 0)
    throw conflict("The earlier state of a flag uses a segment that no longer exists");
  const read = targets.map(({ id }) => ({ id, version: rows.get(id)?.version }));
  return bulkOperations(projectId, read, (flagId) => ({
    kind: "strategy.replace",
    target: { flag: { flagId }, environmentId },
    input: earlier.get(flagId) ?? DEFAULT_STRATEGY,
    revertsId: byFlag.get(flagId)?.id,
  }));
}

/** Returns what is wrong with a target: an unknown flag, or another version than it demands. */
function faultsOf(
  id: number,
  row: StrategyRow | undefined,
  version: number | undefined,
): { readonly fault: Fault; readonly subject: string }[] {
  if (!row) return [{ fault: "unknown-flag", subject: String(id) }];
  if (version === undefined || version === row.version) return [];
  return [{ fault: "version", subject: row.flag.key }];
}

/**
 * Returns the strategy before its last change: `row.content` itself if the change altered nothing.
 * Undefined if the audit trail does not have the whole strategy.
 */
function contentBefore(
  { content, flag: { variants } }: StrategyRow,
  change: LastRecord | undefined,
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
