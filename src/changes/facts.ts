import { asc, sql } from "drizzle-orm";
import { usedSegments } from "../core/strategies/strategy.ts";
import type { ReadDb } from "../db/database.ts";
import { inList } from "../db/json-list.ts";
import { SEGMENT_BYTES } from "../db/rule-bytes.ts";
import { segmentUses } from "../db/segment-uses.ts";
import { contextValues, environments, flags, segments } from "../db/schema/projects.ts";
import { findRequirements } from "../model/flags/prerequisite-queries.ts";
import { findVariantUses } from "../model/flags/variant-queries.ts";
import { inIds } from "../db/ids.ts";
import { findActiveRamps } from "../model/ramps/queries.ts";
import type { Operation, StrategyTarget } from "./plan/operation.ts";
import { findFlagStates } from "./flag-states.ts";
import { isOfStrategy, wantedSegments } from "./refs.ts";
import { byId, findByIds } from "./rows-by-id.ts";
import { Flags, projectOf, type State, strategyKey } from "./plan/state.ts";

type Rows = Pick<State, "project" | "flags" | "strategies" | "segments">;
interface Pair {
  readonly flagId: number;
  readonly environmentId: number;
}

/** Leaves out the rows of other projects. */
export type OfProject = <T extends { readonly projectId: number }>(
  rows: readonly T[],
) => readonly T[];

/** Reads what depends on the rows: who uses what an operation removes, and what it refers to. */
export async function readFacts(
  db: ReadDb,
  operations: readonly Operation[],
  { pairs, mine, ...rows }: Rows & { readonly pairs: readonly Pair[]; readonly mine: OfProject },
) {
  const flagUpdates = operations.flatMap((operation) => {
    const flag = operation.kind === "flag.update" && rows.flags.of(operation.target);
    return flag ? [{ flag, input: operation.input }] : [];
  });
  const losing = flagUpdates.filter(({ flag, input: { variants } }) => {
    const kept = variants && new Set(variants.map(({ key }) => key));
    return kept && flag.variants.some(({ key }) => !kept.has(key));
  });
  const isLinking =
    flagUpdates.some(({ input: { prerequisites = [] } }) => prerequisites.length > 0) ||
    (operations.length > 1 &&
      operations.some(({ kind, input }) => kind === "flag.create" && input.prerequisites?.length));
  const projectId = projectOf(rows);
  const unknown = pairs.filter(
    ({ flagId, environmentId }) => !rows.strategies.has(strategyKey(flagId, environmentId)),
  );
  const newKeys = new Set(
    operations.flatMap((one) => (one.kind === "flag.create" ? one.input.key : [])),
  );
  const ofNewFlags = operations.flatMap((one) =>
    one.kind === "strategy.set" &&
    "flagKey" in one.target.flag &&
    newKeys.has(one.target.flag.flagKey)
      ? [one.target]
      : [],
  );
  const missingFlags = { ids: unknown.map(({ flagId }) => flagId), keys: [], projectId: undefined };
  const [required, variantUses, uses, values, environmentRows, sizes, flagsOfUnknown, ramps] =
    await Promise.all([
      isLinking && projectId !== undefined ? findRequirements(db, projectId) : undefined,
      findVariantUses(
        db,
        losing.map(({ flag }) => flag.id),
      ),
      findSegmentUses(db, operations),
      findContextValues(db, operations),
      findByIds(
        db,
        environments,
        [...unknown, ...ofNewFlags].map(({ environmentId }) => environmentId),
      ),
      findSegmentBytes(db, operations, rows),
      findFlagStates(db, missingFlags),
      operations.some(({ kind }) => kind === "ramp.start") ? findActiveRamps(db, pairs) : [],
    ]);
  return {
    flags: new Flags([...rows.flags.values(), ...mine(flagsOfUnknown.flags)]),
    required,
    ramps: new Map(ramps.map((ramp) => [strategyKey(ramp.flagId, ramp.environmentId), ramp])),
    variantUses,
    segmentUses: uses,
    contextValues: values,
    environments: byId(environmentRows),
    segmentBytes: new Map(
      sizes.filter((row) => row.projectId === projectId).map(({ id, bytes }) => [id, bytes]),
    ),
  } satisfies Partial<State>;
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
    .from(sql`${segmentUses(sql`segment_id IN ${inList(ids)}`)} u`)
    .innerJoin(flags, sql`${flags.id} = u.flag_id`);
}

/** Returns the values of the contexts that operations delete, whose type they set, or whose values. */
async function findContextValues(db: ReadDb, operations: readonly Operation[]) {
  const ids = operations.flatMap((one) => {
    if (one.kind === "context.replace-values") return "id" in one.target ? one.target.id : [];
    return one.kind === "context.delete" ||
      (one.kind === "context.update" && one.input.contextType !== undefined)
      ? one.target.id
      : [];
  });
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
  {
    flags: readFlags,
    strategies,
    segments: known,
  }: Pick<State, "flags" | "strategies" | "segments">,
) {
  const contentAt = ({ flag, environmentId }: StrategyTarget) => {
    const flagId = "flagId" in flag ? flag.flagId : readFlags.of(flag)?.id;
    return flagId === undefined
      ? undefined
      : strategies.get(strategyKey(flagId, environmentId))?.content;
  };
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
      bytes: SEGMENT_BYTES,
    })
    .from(segments)
    .where(inIds(segments.id, [...ids]));
}
