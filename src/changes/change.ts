import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type SQL, sql } from "drizzle-orm";
import { isSame } from "../core/audit/changed-fields.ts";
import { conflict } from "../core/errors/api-error.ts";
import type { AuditEntry } from "../db/audit.ts";
import type { Change } from "../db/commit.ts";
import { changedRules } from "../db/rule-changes.ts";
import { inList } from "../db/json-list.ts";
import { deleteRows, insertRows, type RowChange, updateRows } from "../db/rows.ts";
import { flagRuleBytes } from "../db/rule-bytes.ts";
import { contextDefinitions, flags, segments, tags } from "../db/schema/projects.ts";
import { ramps } from "../db/schema/ramps.ts";
import { deleteValues, upsertValues } from "../model/contexts/value-queries.ts";
import { replaceOwners } from "../model/flags/owner-queries.ts";
import { replacePrerequisites } from "../model/flags/prerequisite-queries.ts";
import type { ChangedRows } from "../db/changed-rows.ts";
import type { FlagState } from "../model/flags/flag-state.ts";
import { changeTags } from "../model/flags/tag-queries.ts";
import { storedValues } from "../model/flags/values.ts";
import { staleRow } from "../model/optimistic-update.ts";
import { recordApprovals, updateRamp } from "../model/ramps/queries.ts";
import { OBSTACLES, stopping } from "../model/ramps/records.ts";
import type { SegmentRow } from "../model/segments/queries.ts";
import { copyStrategiesOfFlag, writeStrategies } from "../model/strategies/write-queries.ts";
import type { AllChangedRows } from "./changed-tables.ts";
import type { OverrideIn } from "./authorize.ts";
import { resultChecks, guardsOf } from "./conditions.ts";
import { contextContent, segmentContent, tagContent } from "./plan/content.ts";
import type { Plan } from "./plan/plan.ts";
import type { RuleChange } from "../core/protection/rule-change.ts";

/** The error of a commit that gives a resource a name that is in use. `execute` finds out which. */
export const duplicate = conflict("A resource with the same name exists in the project");

/**
 * Returns the change that writes a plan without errors; undefined if the plan changes nothing.
 * `changes`: the rows that the plan changes. `started`: the rows of the ramps that it starts. The
 * statements first remove what refers to other rows, then delete, update and insert rows, and at last
 * add what refers to them.
 */
export function* changeOf(
  { work }: Plan,
  changes: AllChangedRows,
  started: readonly (typeof ramps.$inferInsert)[],
): Pausing<Change | undefined> {
  const { records, now } = work;
  const [first, ...others] = records.flatMap(({ audit }) => audit);
  const projectId = first?.projectId;
  if (!first || typeof projectId !== "number") return undefined;
  const strategies = yield* writeStrategies(changes.strategies, now);
  const flagTags = yield* changeTags(changes.flags);
  const prerequisites = replacePrerequisites(projectId, changes.flags);
  const owners = replaceOwners(changes.flags);
  const segmentIds = changes.segments.updated.map(({ after }) => after.id);
  const ruleChanges = changedRules(projectId, work.rules, segmentIds);
  const planned = work.ramps.flatMap(({ nextAt }) => nextAt ?? []);
  return {
    guards: guardsOf(work, projectId, changes),
    statements: [
      ...strategies.remove,
      ...prerequisites.remove,
      ...owners.remove,
      ...flagTags.remove,
      ...deleteRows(flags, changes.flags.deleted),
      ...deleteRows(segments, changes.segments.deleted),
      ...deleteRows(tags, changes.tags.deleted),
      ...deleteRows(contextDefinitions, changes.contexts.deleted),
      ...freeNames(segments, changes.segments),
      ...freeNames(tags, changes.tags),
      ...(yield* updateRows(flags, yield* rowChanges(changes.flags, flagColumns))),
      ...(yield* updateRows(segments, yield* rowChanges(changes.segments, segmentColumns))),
      ...(yield* updateRows(tags, yield* rowChanges(changes.tags, tagContent))),
      ...(yield* updateRows(
        contextDefinitions,
        yield* rowChanges(changes.contexts, contextContent),
      )),
      ...(yield* insertRows(flags, changes.flags.created, newFlagRow)),
      ...(yield* insertRows(segments, changes.segments.created)),
      ...(yield* insertRows(tags, changes.tags.created)),
      ...(yield* insertRows(contextDefinitions, changes.contexts.created)),
      ...work.contextValues.flatMap(({ definitionId, removed, written }) => [
        ...(removed.length > 0 ? [deleteValues(removed)] : []),
        ...upsertValues(definitionId, written, now),
      ]),
      ...flagTags.add,
      ...prerequisites.add,
      ...owners.add,
      ...work.clones.flatMap(({ flagId, sourceId, keepState }) =>
        copyStrategiesOfFlag(sourceId, { flagId, withState: keepState }, now),
      ),
      ...strategies.write,
      ...work.stoppedRamps.map((ramp) =>
        updateRamp(ramp.id, stopping(ramp, OBSTACLES[ramp.obstacle ?? "changed"], now).columns),
      ),
      ...(yield* insertRows(ramps, started)),
      ...(started.length > 0 ? [recordApprovals(work.ramps.map(({ id }) => id))] : []),
    ],
    checks: yield* resultChecks(work, projectId, changes),
    audit: [first, ...others],
    events: records.flatMap(({ event }) => event ?? []),
    ...(ruleChanges && { ruleChanges }),
    ...(planned.length > 0 && { plans: { projectId, at: Math.min(...planned) } }),
    // Repeats the read and the plan, which find out what was deleted since.
    onForeignKey: staleRow,
    onDuplicate: duplicate,
  };
}

/** Returns what a plan does to verdicts; undefined if it alters none. The name of a segment alters none. */
export function ruleChangeOf({ work }: Plan, { segments: changed }: AllChangedRows) {
  const projectId = work.records[0]?.audit[0].projectId;
  const rules = work.rules.filter(({ effect }) => effect !== "none");
  const segmentIds = changed.updated.flatMap(({ before, after }) =>
    isSame(before.constraints, after.constraints) ? [] : after.id,
  );
  if (typeof projectId !== "number" || rules.length + segmentIds.length === 0) return undefined;
  return { projectId, rules, segmentIds } satisfies RuleChange;
}

/** Adds to the audit records and events of a change why it needed no approval. */
export function withOverrides(change: Change, overrideIn: OverrideIn): Change {
  const [first, ...others] = change.audit;
  const audited = (entry: AuditEntry): AuditEntry => {
    const { environmentId } = entry;
    const override = overrideIn(typeof environmentId === "number" ? environmentId : undefined);
    return override ? { ...entry, override } : entry;
  };
  return {
    ...change,
    audit: [audited(first), ...others.map(audited)],
    events:
      change.events?.map((event) => {
        const environment = event.data["environment"] as { readonly id?: number } | undefined;
        const override = overrideIn(environment?.id);
        return override ? { ...event, data: { ...event.data, override } } : event;
      }) ?? [],
  };
}

/**
 * Returns the statement that gives renamed rows names that nothing else has, if another row takes
 * one of their names. Without it, SQLite would reject that row before the renamed row has its new name.
 */
function freeNames(
  table: typeof segments | typeof tags,
  { updated }: ChangedRows<{ readonly id: number; readonly name: string }>,
): SQL[] {
  const renamed = updated.filter(({ before, after }) => before.name !== after.name);
  const taken = new Set(renamed.map(({ after }) => after.name));
  if (!renamed.some(({ before }) => taken.has(before.name))) return [];
  const ids = inList(renamed.map(({ after }) => after.id));
  // No request can contain a name with the character NUL.
  return [sql`UPDATE ${table} SET name = char(0) || id WHERE id IN ${ids}`];
}

/** Returns the columns that differ in each updated row. */
function* rowChanges<Row extends { readonly id: number; readonly version: number }>(
  { updated }: ChangedRows<Row>,
  columnsOf: (row: Row) => Readonly<Record<string, unknown>>,
): Pausing<RowChange[]> {
  const changes: RowChange[] = [];
  for (const { before, after } of updated) {
    yield after;
    const was = columnsOf(before);
    const changed = Object.entries(columnsOf(after)).filter(([name, is]) => !isSame(is, was[name]));
    const versions = after.version - before.version;
    changes.push({ id: after.id, versions, change: Object.fromEntries(changed) });
  }
  return changes;
}

const flagColumns = (flag: FlagState) => ({
  name: flag.name,
  description: flag.description,
  ...storedValues(flag),
  clients: flag.clients,
  archived: flag.archived,
  ruleBytes: flagRuleBytes(flag),
  updatedAt: flag.updatedAt,
});

const newFlagRow = (flag: FlagState) => ({
  id: flag.id,
  projectId: flag.projectId,
  key: flag.key,
  flagType: flag.flagType,
  version: flag.version,
  ...flagColumns(flag),
  createdAt: flag.createdAt,
});

const segmentColumns = ({ updatedAt, ...segment }: SegmentRow) => ({
  ...segmentContent(segment),
  updatedAt,
});
