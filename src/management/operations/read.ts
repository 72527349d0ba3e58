import { asc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  DEFAULT_STRATEGY,
  type StrategyContent,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonList } from "../../db/json-list.ts";
import { segmentUses } from "../../db/segment-uses.ts";
import {
  contextDefinitions,
  contextValues,
  environments,
  flags,
  projects,
  segments,
  tags,
} from "../../db/schema/projects.ts";
import { existingUsers } from "../flags/owner-queries.ts";
import { findRequirements } from "../flags/prerequisite-queries.ts";
import { findFlagStates } from "../flags/queries.ts";
import { findVariantUses } from "../flags/variant-queries.ts";
import { inIds } from "../ids.ts";
import { findStrategies } from "../strategies/queries.ts";
import type { FlagRef, Operation, SegmentRef, StrategyInput } from "./operation.ts";
import { Flags, type ProjectState, type State, strategyKey } from "./state.ts";

/**
 * Reads what operations refer to, in a number of statements that depends on their kinds and not on
 * how many there are. `projectId`: leaves out the rows of other projects.
 */
export async function readState(
  db: ReadDb,
  operations: readonly Operation[],
  projectId: number | undefined,
): Promise<State> {
  const refs = refsOf(operations);
  const project = refs.newIn && (await findProject(db, refs.newIn));
  const ofProject = projectId ?? project?.id;
  const mine: OfProject = (rows) =>
    ofProject === undefined ? rows : rows.filter((row) => row.projectId === ofProject);
  const rows = await findFlagStates(db, { ...refs.flags, projectId: ofProject });
  const flagsById = new Flags(mine(rows));
  const pairs = refs.pairs.flatMap(({ flag, environmentId }) => {
    const flagId = "flagId" in flag ? flag.flagId : flagsById.of(flag)?.id;
    return flagId === undefined ? [] : [{ flagId, environmentId }];
  });
  const strategies = await findStrategies(db, pairs);
  const rowsOfProject = {
    project,
    flags: flagsById,
    strategies: new Map(
      strategies
        .filter(({ flag }) => mine([flag]).length > 0)
        .map((row) => [strategyKey(row.flagId, row.environmentId), row]),
    ),
    segments: byId(mine(await findSegments(db, refs, ofProject ?? 0))),
    tags: byId(mine(await findByIds(db, tags, refs.tagIds))),
    contexts: byId(mine(await findByIds(db, contextDefinitions, refs.contextIds))),
    users: new Set(await existingUsers(db, [...refs.userIds])),
  };
  return {
    ...rowsOfProject,
    ...(await readFacts(db, operations, { ...rowsOfProject, pairs, mine })),
  };
}

type Rows = Pick<State, "project" | "flags" | "strategies" | "segments">;
interface Pair {
  readonly flagId: number;
  readonly environmentId: number;
}

/** Leaves out the rows of other projects. */
type OfProject = <T extends { readonly projectId: number }>(rows: readonly T[]) => readonly T[];

/** Reads what depends on the rows: who uses what an operation removes, and what it refers to. */
async function readFacts(
  db: ReadDb,
  operations: readonly Operation[],
  { pairs, mine, ...rows }: Rows & { readonly pairs: readonly Pair[]; readonly mine: OfProject },
) {
  const flagUpdates = operations.flatMap((operation) => {
    const flag = operation.kind === "flag.update" && rows.flags.of(operation.target);
    return flag ? [{ flag, input: operation.input }] : [];
  });
  const losing = flagUpdates.filter(({ flag, input: { variants } }) =>
    flag.variants.some(({ key }) => variants?.some((one) => one.key === key) === false),
  );
  const isLinking =
    flagUpdates.some(({ input: { prerequisites = [] } }) => prerequisites.length > 0) ||
    (operations.length > 1 &&
      operations.some(({ kind, input }) => kind === "flag.create" && input.prerequisites?.length));
  const projectId =
    rows.project?.id ??
    rows.flags.values().next().value?.projectId ??
    rows.strategies.values().next().value?.flag.projectId;
  const unknown = pairs.filter(
    ({ flagId, environmentId }) => !rows.strategies.has(strategyKey(flagId, environmentId)),
  );
  const newFlags = operations.flatMap((operation) =>
    operation.kind === "strategy.set" && !rows.flags.of(operation.target.flag)
      ? [operation.target]
      : [],
  );
  const missingFlags = { ids: unknown.map(({ flagId }) => flagId), keys: [], projectId: undefined };
  const [requirements, variantUses, uses, values, environmentRows, sizes, flagsOfUnknown] =
    await Promise.all([
      isLinking && projectId !== undefined ? findRequirements(db, projectId) : new Map(),
      findVariantUses(
        db,
        losing.map(({ flag }) => flag.id),
      ),
      findSegmentUses(db, operations),
      findContextValues(db, operations),
      findByIds(
        db,
        environments,
        [...unknown, ...newFlags].map(({ environmentId }) => environmentId),
      ),
      findSegmentBytes(db, operations, rows),
      findFlagStates(db, missingFlags),
    ]);
  return {
    flags: new Flags([...rows.flags.values(), ...mine(flagsOfUnknown)]),
    requirements,
    variantUses,
    segmentUses: uses,
    contextValues: values,
    environments: byId(environmentRows),
    segmentBytes: new Map(
      sizes.filter((row) => row.projectId === projectId).map(({ id, bytes }) => [id, bytes]),
    ),
  } satisfies Partial<State>;
}

function refsOf(operations: readonly Operation[]) {
  const flagIds: number[] = [];
  const flagKeys: string[] = [];
  const pairs: { readonly flag: FlagRef; readonly environmentId: number }[] = [];
  const segmentIds: number[] = [];
  const segmentNames: string[] = [];
  const tagIds: number[] = [];
  const contextIds: number[] = [];
  const userIds = new Set<number>();
  let newIn: SQL | undefined;
  const addFlag = (ref: FlagRef) =>
    "flagId" in ref ? flagIds.push(ref.flagId) : flagKeys.push(ref.flagKey);
  for (const operation of operations) {
    switch (operation.kind) {
      case "flag.create":
      case "segment.create":
      case "tag.create":
      case "context.create":
        newIn = sql`${operation.target.projectId}`;
        break;
      case "flag.clone": {
        addFlag(operation.target);
        if ("flagId" in operation.target)
          newIn = sql`(SELECT project_id FROM flags WHERE id = ${operation.target.flagId})`;
        break;
      }
      case "segment.update":
      case "segment.delete":
        segmentIds.push(operation.target.id);
        break;
      case "tag.update":
      case "tag.delete":
        tagIds.push(operation.target.id);
        break;
      case "context.update":
      case "context.delete":
        contextIds.push(operation.target.id);
        break;
      case "strategy.set":
      case "strategy.switch":
      case "strategy.copy":
      case "strategy.replace": {
        const { flag, environmentId } = operation.target;
        pairs.push({ flag, environmentId });
        if ("flagKey" in flag) addFlag(flag);
        if (operation.kind === "strategy.copy")
          pairs.push({ flag, environmentId: operation.input.fromEnvironmentId });
        if (operation.kind === "strategy.set")
          for (const ref of segmentRefs(operation.input))
            if (typeof ref === "string") segmentNames.push(ref);
        break;
      }
      default:
        addFlag(operation.target);
    }
    if (operation.kind === "flag.create" || operation.kind === "flag.update") {
      for (const { flagKey } of operation.input.prerequisites ?? []) flagKeys.push(flagKey);
      for (const id of operation.input.ownerIds ?? []) userIds.add(id);
      for (const tag of operation.input.tags ?? [])
        if (typeof tag !== "string") tagIds.push(tag.tagId);
    }
    if (operation.kind === "flag.tag" && typeof operation.input !== "string")
      tagIds.push(operation.input.tagId);
  }
  const flagRefs = { ids: flagIds, keys: flagKeys };
  return { flags: flagRefs, pairs, segmentIds, segmentNames, tagIds, contextIds, userIds, newIn };
}

/** Returns the segments that a change of a strategy names, of all its rules. */
const segmentRefs = ({
  segmentIds = [],
  rules = [],
}: Pick<StrategyInput, "segmentIds"> & {
  readonly rules?: readonly Pick<StrategyInput, "segmentIds">[] | undefined;
}): SegmentRef[] => [...segmentIds, ...rules.flatMap((rule) => rule.segmentIds ?? [])];

const byId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** Returns the project of new rows, and the greatest id that each table has used. */
async function findProject(db: ReadDb, id: SQL): Promise<ProjectState | undefined> {
  const last = (table: string) =>
    sql<number>`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0)`;
  const [row] = await db
    .select({
      id: projects.id,
      staleDays: projects.staleDays,
      flags: last("flags"),
      segments: last("segments"),
      tags: last("tags"),
      context_definitions: last("context_definitions"),
    })
    .from(projects)
    .where(sql`${projects.id} = ${id}`);
  if (!row) return undefined;
  const { id: projectId, staleDays, ...lastIds } = row;
  return { id: projectId, staleDays, lastIds };
}

async function findByIds<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: ReadDb,
  table: T,
  ids: readonly number[],
): Promise<T["$inferSelect"][]> {
  if (ids.length === 0) return [];
  return db.select().from(table).where(inIds(table.id, ids));
}

/** Returns the segments with these ids, and the segments of the project with these names. */
async function findSegments(
  db: ReadDb,
  { segmentIds, segmentNames }: ReturnType<typeof refsOf>,
  projectId: number,
) {
  if (segmentNames.length === 0) return findByIds(db, segments, segmentIds);
  return db
    .select()
    .from(segments)
    .where(
      sql`${inIds(segments.id, segmentIds)}
        OR (${segments.projectId} = ${projectId} AND ${segments.name} IN ${jsonList(segmentNames)})`,
    );
}

/** Returns the strategies that use the segments which operations delete, with the keys of the flags. */
async function findSegmentUses(db: ReadDb, operations: readonly Operation[]) {
  const ids = operations.flatMap((one) => (one.kind === "segment.delete" ? one.target.id : []));
  if (ids.length === 0) return [];
  return db
    .select({
      segmentId: sql<number>`u.segment_id`,
      environmentId: sql<number>`u.environment_id`,
      flagId: flags.id,
      flagKey: flags.key,
    })
    .from(sql`${segmentUses(sql`segment_id IN ${jsonList(ids)}`)} u`)
    .innerJoin(flags, sql`${flags.id} = u.flag_id`);
}

/** Returns the values of the context definitions that operations delete, or whose type they set. */
async function findContextValues(db: ReadDb, operations: readonly Operation[]) {
  const ids = operations.flatMap((one) =>
    one.kind === "context.delete" ||
    (one.kind === "context.update" && one.input.contextType !== undefined)
      ? one.target.id
      : [],
  );
  if (ids.length === 0) return [];
  return db
    .select()
    .from(contextValues)
    .where(inIds(contextValues.definitionId, ids))
    .orderBy(asc(contextValues.id));
}

/** Returns the sizes of the segments that strategies gain or lose. A deleted segment has none. */
async function findSegmentBytes(
  db: ReadDb,
  operations: readonly Operation[],
  { strategies, segments: known }: Pick<State, "strategies" | "segments">,
) {
  const contentAt = (target: { readonly flag: FlagRef; readonly environmentId: number }) =>
    "flagId" in target.flag
      ? strategies.get(strategyKey(target.flag.flagId, target.environmentId))?.content
      : undefined;
  const ids = new Set<number>();
  for (const operation of operations) {
    if (!isOfStrategy(operation) || operation.kind === "strategy.switch") continue;
    const before = contentAt(operation.target);
    const used = new Set(before && usedSegments(before));
    const wanted = new Set(wantedSegments(operation, contentAt));
    for (const id of wanted.symmetricDifference(used)) ids.add(id);
  }
  for (const id of known.keys()) ids.delete(id);
  if (ids.size === 0) return [];
  return db
    .select({
      id: segments.id,
      projectId: segments.projectId,
      bytes: sql<number>`octet_length(${segments.constraints})`,
    })
    .from(segments)
    .where(inIds(segments.id, [...ids]));
}

const isOfStrategy = (operation: Operation): operation is StrategyOperation =>
  operation.kind.startsWith("strategy.");

type StrategyOperation = Extract<Operation, { readonly kind: `strategy.${string}` }>;

/** Returns the ids of the segments that a strategy uses after an operation. */
function wantedSegments(
  operation: StrategyOperation,
  contentAt: (target: StrategyOperation["target"]) => StrategyContent | undefined,
): number[] {
  const { kind, target, input } = operation;
  if (kind === "strategy.replace") return usedSegments(input);
  const source =
    kind === "strategy.copy" ? { ...target, environmentId: input.fromEnvironmentId } : target;
  const { segmentIds, rules } = contentAt(source) ?? DEFAULT_STRATEGY;
  if (kind !== "strategy.set") return usedSegments({ ...DEFAULT_STRATEGY, segmentIds, rules });
  const refs = segmentRefs({
    segmentIds: input.segmentIds ?? segmentIds,
    rules: input.rules ?? rules,
  });
  return refs.filter((ref) => typeof ref === "number");
}
