import { type SQL, sql } from "drizzle-orm";
import { isSame } from "../../core/audit/changed-fields.ts";
import { conflict } from "../../core/errors/api-error.ts";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { DEFAULT_STRATEGY } from "../../core/strategies/strategy.ts";
import type { Change, Check, Guard } from "../../db/commit.ts";
import { growthOf, largestRuleBytes } from "../../db/rule-bytes.ts";
import { changedRules } from "../../db/rule-changes.ts";
import { deleteRows, insertRows, type RowChange, updateRows } from "../../db/rows.ts";
import { contextDefinitions, flags, segments, tags } from "../../db/schema/projects.ts";
import { type ContextRow, countContexts } from "../contexts/queries.ts";
import { changeTags, tagsAfter } from "../flags/tag-queries.ts";
import { replaceOwners } from "../flags/owner-queries.ts";
import { noBrokenLinks, replacePrerequisites } from "../flags/prerequisite-queries.ts";
import { countFlags, type FlagState } from "../flags/queries.ts";
import { storedValues, variantBytes } from "../flags/values.ts";
import { servedVariantsExist } from "../flags/variant-queries.ts";
import { allUnchanged, staleRow } from "../optimistic-update.ts";
import { countSegments, type SegmentRow } from "../segments/queries.ts";
import {
  copyStrategiesOfFlag,
  strategiesHaveVersions,
  type StrategyRow,
  writeStrategies,
} from "../strategies/queries.ts";
import type { TagRow } from "../tags/queries.ts";
import type { Plan } from "./plan.ts";
import type { Table } from "./state.ts";
import type { Work } from "./work.ts";

/** A row before and after the operations. Undefined: the row does not exist then. */
interface Pair<Row> {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

interface Versioned {
  readonly version: number;
}

/** Returns the rows of a map that the operations create, change or delete. */
function changedPairs<Key, Row extends Versioned>(
  before: ReadonlyMap<Key, Row>,
  after: ReadonlyMap<Key, Row>,
): Pair<Row>[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .map((key) => ({ before: before.get(key), after: after.get(key) }))
    .filter((pair) => pair.before?.version !== pair.after?.version);
}

/** The changed rows of one table, as its statements need them. */
interface Changes<Row> {
  readonly created: readonly Row[];
  readonly updated: readonly { readonly before: Row; readonly after: Row }[];
  readonly deleted: readonly number[];
}

function changesOf<Row extends Versioned & { readonly id: number }>(
  before: ReadonlyMap<number, Row>,
  after: ReadonlyMap<number, Row>,
): Changes<Row> {
  const pairs = changedPairs(before, after);
  return {
    created: pairs.flatMap((pair) => (pair.before ? [] : (pair.after ?? []))),
    updated: pairs.flatMap((pair) =>
      pair.before && pair.after ? [{ before: pair.before, after: pair.after }] : [],
    ),
    deleted: pairs.flatMap((pair) => (pair.before && !pair.after ? pair.before.id : [])),
  };
}

/** Returns the statements' view of updated rows: the columns that differ. */
const rowChanges = <Row extends Versioned & { readonly id: number }>(
  { updated }: Changes<Row>,
  columnsOf: (row: Row) => Readonly<Record<string, unknown>>,
): RowChange[] =>
  updated.map(({ before, after }) => {
    const was = columnsOf(before);
    const changed = Object.entries(columnsOf(after)).filter(([name, is]) => !isSame(is, was[name]));
    const versions = after.version - before.version;
    return { id: after.id, versions, change: Object.fromEntries(changed) };
  });

/** Returns the change that writes a plan without errors; undefined if the plan changes nothing. */
export function changeOf({ work }: Plan): Change | undefined {
  const { initial, steps, now } = work;
  const [first, ...others] = steps.flatMap(({ audit }) => audit);
  const projectId = first?.projectId;
  if (!first || typeof projectId !== "number") return undefined;
  const changes = {
    flags: changesOf(initial.flags, work.flags),
    segments: changesOf(initial.segments, work.segments),
    tags: changesOf(initial.tags, work.tags),
    contexts: changesOf(initial.contexts, work.contexts),
  };
  const strategies = changedPairs(initial.strategies, work.strategies).flatMap(
    ({ before, after }) =>
      after && (work.flags.has(after.flagId) || !initial.flags.has(after.flagId))
        ? [{ before, after }]
        : [],
  );
  const { remove, write } = writeStrategies(strategies, now);
  const flagPairs = changes.flags;
  const tagged = [
    ...flagPairs.created.map((after) => ({ after, attached: [] })),
    ...flagPairs.updated.map(({ before, after }) => ({ after, attached: before.attachedTags })),
  ];
  const tagChanges = changeTags(projectId, tagged, now);
  const prerequisites = replacePrerequisites(projectId, flagPairs);
  const owners = replaceOwners(flagPairs);
  const ruleChanges = changedRules(
    projectId,
    work.rules,
    changes.segments.updated.map(({ after }) => after.id),
  );
  return {
    guards: guardsOf(work, projectId, { changes, newTagNames: tagChanges.names }),
    statements: [
      ...remove,
      ...prerequisites.remove,
      ...owners.remove,
      ...tagChanges.remove,
      ...deleteRows(flags, flagPairs.deleted),
      ...deleteRows(segments, changes.segments.deleted),
      ...deleteRows(tags, changes.tags.deleted),
      ...deleteRows(contextDefinitions, changes.contexts.deleted),
      ...updateRows(flags, rowChanges(flagPairs, flagColumns)),
      ...updateRows(segments, rowChanges(changes.segments, segmentColumns)),
      ...updateRows(
        tags,
        rowChanges(changes.tags, ({ name, color }) => ({ name, color })),
      ),
      ...updateRows(
        contextDefinitions,
        rowChanges(changes.contexts, ({ name, contextType }) => ({ name, contextType })),
      ),
      ...insertRows(flags, flagPairs.created.map(newFlagRow)),
      ...insertRows(segments, changes.segments.created),
      ...insertRows(tags, changes.tags.created),
      ...insertRows(contextDefinitions, changes.contexts.created),
      ...tagChanges.add,
      ...prerequisites.add,
      ...owners.add,
      ...work.clones.flatMap(({ flagId, sourceId, keepState }) =>
        copyStrategiesOfFlag(sourceId, { flagId, withState: keepState }, now),
      ),
      ...write,
    ],
    checks: checksOf(work, projectId, { changes, strategies }),
    audit: [first, ...others],
    events: steps.flatMap(({ event }) => event ?? []),
    ...(ruleChanges && { ruleChanges }),
    // Repeats the read and the plan, which find out what was deleted since.
    onForeignKey: staleRow,
    onDuplicate: duplicate,
  };
}

/** The error of a commit that gives a resource a name that is in use. `execute` finds out which. */
export const duplicate = conflict("A resource with the same name exists in the project");

interface AllChanges {
  readonly flags: Changes<FlagState>;
  readonly segments: Changes<SegmentRow>;
  readonly tags: Changes<TagRow>;
  readonly contexts: Changes<ContextRow>;
}

type StrategyPair = Pair<StrategyRow> & { readonly after: StrategyRow };

/** Returns the conditions before the statements: what was read is as it was, and quotas suffice. */
function guardsOf(
  { initial }: Work,
  projectId: number,
  {
    changes,
    newTagNames,
  }: { readonly changes: AllChanges; readonly newTagNames: readonly string[] },
): Guard[] {
  const { project, strategies } = initial;
  const flagsOfStrategies = [...strategies.values()].map(({ flagId, flag }) => ({
    id: flagId,
    version: flag.version,
  }));
  const readFlags = new Map(
    [...flagsOfStrategies, ...initial.flags.values()].map((flag) => [flag.id, flag]),
  );
  const unchanged = [
    ...[[flags, readFlags] as const, [segments, initial.segments] as const],
    ...[[tags, initial.tags] as const, [contextDefinitions, initial.contexts] as const],
  ];
  const created = {
    ...{ flags: changes.flags.created.length, segments: changes.segments.created.length },
    ...{ tags: changes.tags.created.length, context_definitions: changes.contexts.created.length },
  };
  const room = (count: SQL, n: number) => sql`(${count}) + ${n - 1}`;
  return [
    ...unchanged.flatMap(([table, rows]) =>
      rows.size > 0 ? allUnchanged(table, [...rows.values()]) : [],
    ),
    ...(strategies.size > 0
      ? [{ holds: strategiesHaveVersions([...strategies.values()]), error: staleRow }]
      : []),
    // Fails if another request has created a row in between, which has the id of a new row.
    ...Object.entries(created).flatMap(([table, n]) =>
      n > 0
        ? {
            holds: sql`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0)
              = ${project?.lastIds[table as Table] ?? 0}`,
            error: staleRow,
          }
        : [],
    ),
    ...(created.flags > 0
      ? [{ quota: "FLAGS" as const, count: room(countFlags(projectId), created.flags) }]
      : []),
    ...(created.segments > 0
      ? [{ quota: "SEGMENTS" as const, count: room(countSegments(projectId), created.segments) }]
      : []),
    ...(created.context_definitions > 0
      ? [
          {
            quota: "CONTEXTS" as const,
            count: room(countContexts(projectId), created.context_definitions),
          },
        ]
      : []),
    ...(created.tags + newTagNames.length > 0
      ? [{ quota: "TAGS" as const, count: tagsAfter(projectId, created.tags, newTagNames) }]
      : []),
  ];
}

/** Returns the conditions after the statements, which protect the rules about the result. */
function checksOf(
  work: Work,
  projectId: number,
  {
    changes,
    strategies,
  }: { readonly changes: AllChanges; readonly strategies: readonly StrategyPair[] },
): Check[] {
  const { created, updated } = changes.flags;
  const linked = [
    ...created.filter(({ prerequisites }) => prerequisites.length > 0),
    ...updated.flatMap(({ before, after }) =>
      before.archived === after.archived && isSame(before.prerequisites, after.prerequisites)
        ? []
        : after,
    ),
  ].map(({ id }) => id);
  const losing = updated.flatMap(({ before, after }) => {
    const kept = new Set(after.variants.map(({ key }) => key));
    return before.variants.every(({ key }) => kept.has(key)) ? [] : after.id;
  });
  const bytesOf = (id: number) => {
    const segment = work.segments.get(id) ?? work.initial.segments.get(id);
    return segment ? jsonBytes(segment.constraints) : (work.initial.segmentBytes.get(id) ?? 0);
  };
  const growth = Map.groupBy(strategies, ({ after }) => after.environmentId);
  const growing = {
    projectId,
    all:
      work.clones.length > 0 ||
      created.reduce((sum, flag) => sum + variantBytes(flag), 0) +
        updated.reduce(
          (sum, { before, after }) => sum + variantBytes(after) - variantBytes(before),
          0,
        ) >
        0,
    environmentIds: [...growth].flatMap(([id, pairs]) =>
      pairs.reduce(
        (sum, { before, after }) =>
          sum + growthOf(before?.content ?? DEFAULT_STRATEGY, after.content, bytesOf),
        0,
      ) > 0
        ? id
        : [],
    ),
    segmentIds: changes.segments.updated.flatMap(({ before, after }) =>
      jsonBytes(after.constraints) > jsonBytes(before.constraints) ? after.id : [],
    ),
  };
  const grows = growing.all || growing.environmentIds.length > 0 || growing.segmentIds.length > 0;
  return [
    ...(linked.length > 0 ? [{ holds: noBrokenLinks(linked), error: staleRow }] : []),
    ...(losing.length > 0 ? [{ holds: servedVariantsExist(losing), error: staleRow }] : []),
    ...(grows ? [{ quota: "RULE_BYTES" as const, bytes: largestRuleBytes(growing) }] : []),
  ];
}

const flagColumns = (flag: FlagState) => ({
  name: flag.name,
  description: flag.description,
  ...storedValues(flag),
  archived: flag.archived,
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

const segmentColumns = ({ name, description, constraints, updatedAt }: SegmentRow) => ({
  ...{ name, description, constraints, updatedAt },
});
