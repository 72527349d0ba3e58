import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type SQL, sql } from "drizzle-orm";
import { isSame } from "../core/audit/changed-fields.ts";
import { jsonBytes } from "../core/lib/chunks.ts";
import { DEFAULT_STRATEGY } from "../core/strategies/strategy.ts";
import type { Check, ConditionGuard, Guard } from "../db/guards.ts";
import { belowLimit, type QuotaGuard } from "../db/quota.ts";
import { flagRuleBytes, growthOf, type GrowingRules, largestRuleBytes } from "../db/rule-bytes.ts";
import { contextDefinitions, flags, segments, tags } from "../db/schema/projects.ts";
import { countContexts } from "../model/contexts/queries.ts";
import { noBrokenLinks, sameRequirements } from "../model/flags/prerequisite-queries.ts";
import { countFlags } from "../model/flags/queries.ts";
import { ruleContent } from "../model/flags/values.ts";
import { servedVariantsExist } from "../model/flags/variant-queries.ts";
import { allUnchanged, staleRow } from "../model/optimistic-update.ts";
import { countActive, isAsRead, MAX_ACTIVE } from "../model/ramps/queries.ts";
import { countSegments, type SegmentRow } from "../model/segments/queries.ts";
import { strategiesHaveVersions } from "../model/strategies/queries.ts";
import { countTags } from "../model/tags/queries.ts";
import type { ChangedRows } from "../db/changed-rows.ts";
import type { AllChangedRows } from "./changed-tables.ts";
import type { ProjectState, Table } from "./plan/state.ts";
import type { Work } from "./plan/work.ts";

/**
 * Returns the conditions before the statements: everything that was read is as it was, the ids of
 * new rows are free, and the quotas have room.
 */
export function guardsOf(
  { initial, ramps, stoppedRamps }: Work,
  projectId: number,
  changes: AllChangedRows,
): Guard[] {
  const strategies = [...initial.strategies.values()];
  const readFlags = new Map([
    ...strategies.map(
      ({ flagId, flag }) => [flagId, { id: flagId, version: flag.version }] as const,
    ),
    ...initial.flags,
  ]);
  const read = [
    [flags, readFlags] as const,
    [segments, initial.segments] as const,
    [tags, initial.tags] as const,
    [contextDefinitions, initial.contexts] as const,
  ];
  return [
    ...read.flatMap(([table, rows]) =>
      rows.size > 0 ? allUnchanged(table, [...rows.values()]) : [],
    ),
    ...(strategies.length > 0
      ? [{ holds: strategiesHaveVersions(strategies), error: staleRow }]
      : []),
    ...(initial.required
      ? [{ holds: sameRequirements(projectId, initial.required), error: staleRow }]
      : []),
    ...stoppedRamps.map((ramp) => ({ holds: isAsRead(ramp), error: staleRow })),
    ...newRowGuards(initial.project, projectId, { ...changes, ramps }),
    ...(ramps.length > 0
      ? [
          belowLimit(
            sql`(${countActive(projectId)}) + ${ramps.length - stoppedRamps.length - 1}`,
            MAX_ACTIVE,
            "active ramps in a project",
            "abort one, or wait until one ends",
          ),
        ]
      : []),
  ];
}

function newRowGuards(
  project: ProjectState | undefined,
  projectId: number,
  changes: AllChangedRows & Pick<Work, "ramps">,
): Guard[] {
  const created = {
    flags: changes.flags.created.length,
    segments: changes.segments.created.length,
    tags: changes.tags.created.length,
    context_definitions: changes.contexts.created.length,
    ramps: changes.ramps.length,
  };
  const tables = (Object.keys(created) as Table[]).filter((table) => created[table] > 0);
  return [
    ...tables.map((table) => lastIdIs(table, project?.lastIds[table] ?? 0)),
    ...(project && created.flags > 0 ? [newFlagClientsAre(project)] : []),
    ...quota("FLAGS", countFlags(projectId), changes.flags),
    ...quota("SEGMENTS", countSegments(projectId), changes.segments),
    ...quota("TAGS", countTags(projectId), changes.tags),
    ...quota("CONTEXTS", countContexts(projectId), changes.contexts),
  ];
}

/** Guard: fails if another request has created a row in the table, which has the id of a new row. */
const lastIdIs = (table: Table, id: number): ConditionGuard => ({
  holds: sql`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0) = ${id}`,
  error: staleRow,
});

/** Guard: fails if the project has got another default for the clients of new flags since it was read. */
const newFlagClientsAre = ({ id, newFlagClients }: ProjectState): ConditionGuard => ({
  holds: sql`(SELECT new_flag_clients FROM projects WHERE id = ${id}) = ${newFlagClients}`,
  error: staleRow,
});

/** Returns the guard for new rows beside the `count` that exist; none if the rows do not get more. */
function quota(
  name: QuotaGuard["quota"],
  count: SQL,
  { created, deleted }: ChangedRows<unknown>,
): QuotaGuard[] {
  const added = created.length - deleted.length;
  return added > 0 ? [{ quota: name, count: sql`(${count}) + ${added - 1}` }] : [];
}

/**
 * Returns the conditions after the statements, which protect the rules about the result from other
 * requests. `relationCheck` has checked these rules for what was read.
 */
export function* resultChecks(
  work: Work,
  projectId: number,
  changes: AllChangedRows,
): Pausing<Check[]> {
  const { created, updated } = changes.flags;
  const linked = [
    ...created.filter(({ prerequisites }) => prerequisites.length > 0),
    ...updated.flatMap(({ before, after }) =>
      isSame(before.prerequisites, after.prerequisites) && before.archived === after.archived
        ? []
        : after,
    ),
  ].map(({ id }) => id);
  const losing = updated.flatMap(({ before, after }) => {
    const kept = new Set(after.variants.map(({ key }) => key));
    return before.variants.every(({ key }) => kept.has(key)) ? [] : after.id;
  });
  const growing = yield* growingRules(work, projectId, changes);
  return [
    ...(linked.length > 0 ? [{ holds: noBrokenLinks(linked), error: staleRow }] : []),
    ...(losing.length > 0 ? [{ holds: servedVariantsExist(losing), error: staleRow }] : []),
    ...(growing ? [{ quota: "RULE_BYTES" as const, bytes: largestRuleBytes(growing) }] : []),
  ];
}

/** Returns the environments whose rules grow; undefined if there are none. */
function* growingRules(
  work: Work,
  projectId: number,
  { flags: flagChanges, strategies, segments: segmentChanges }: AllChangedRows,
): Pausing<GrowingRules | undefined> {
  const bytesOf = (id: number) => {
    const segment = work.segments.get(id) ?? work.initial.segments.get(id);
    return segment ? segmentBytes(segment) : (work.initial.segmentBytes.get(id) ?? 0);
  };
  const flagGrowth = flagChanges.updated.map(({ before, after }) =>
    isSame(ruleContent(before), ruleContent(after))
      ? 0
      : flagRuleBytes(after) - flagRuleBytes(before),
  );
  const growths = new Map<number, number>();
  for (const { before, after } of strategies) {
    yield after.content;
    const growth = growthOf(before?.content ?? DEFAULT_STRATEGY, after.content, bytesOf);
    growths.set(after.environmentId, (growths.get(after.environmentId) ?? 0) + growth);
  }
  const environmentIds = [...growths].flatMap(([id, growth]) => (growth > 0 ? id : []));
  const segmentIds = segmentChanges.updated.flatMap(({ before, after }) =>
    segmentBytes(after) > segmentBytes(before) ? after.id : [],
  );
  const all = flagChanges.created.length > 0 || sum(flagGrowth) > 0;
  return all || environmentIds.length > 0 || segmentIds.length > 0
    ? { projectId, all, environmentIds, segmentIds }
    : undefined;
}

/** Returns the size of a segment in a rule, with a comma, bytes. */
const segmentBytes = ({ name, constraints }: Pick<SegmentRow, "name" | "constraints">): number =>
  jsonBytes({ name, constraints }) + 1;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
