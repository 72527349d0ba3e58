import { type Actor, isHidden } from "@feature-flags/permissions/permissions";
import { and, type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../db/database.ts";
import { inList } from "../db/json-list.ts";
import { contextDefinitions, segments, tags } from "../db/schema/projects.ts";
import { existingUsers } from "../model/flags/owner-queries.ts";
import { inIds } from "../db/ids.ts";
import { expectFits, readFitting } from "../db/list-bytes.ts";
import { findStrategies, PAGE, pairBytes } from "../model/strategies/queries.ts";
import { type OfProject, readFacts } from "./facts.ts";
import type { Operation } from "./plan/operation.ts";
import type { FlagState } from "../model/flags/flag-state.ts";
import { findFlagStates, findProject, type ProjectWithTags } from "./flag-states.ts";
import { refsOf } from "./refs.ts";
import { byId, findByIds } from "./rows-by-id.ts";
import { Flags, type State, strategyKey } from "./plan/state.ts";

/** Of which projects operations read rows: of one, and of those that an actor may see. */
type Within = (
  | { readonly projectId: number; readonly actor?: undefined }
  | { readonly projectId: number | undefined; readonly actor: Actor }
) & {
  /** The most bytes of strategies, and of segments, that are read. Default: `MAX_READ_BYTES`. */
  readonly maxBytes?: number | undefined;
};

/**
 * Reads what operations refer to, in a number of statements that depends on their kinds and not on
 * how many there are. Leaves out the rows of other projects.
 */
export async function readState(
  db: ReadDb,
  operations: readonly Operation[],
  { projectId, actor, maxBytes = MAX_READ_BYTES }: Within,
): Promise<State> {
  const isVisible = (id: number) => !actor || !isHidden(actor, id);
  const visible = <P extends { readonly id: number }>(row: P | undefined) =>
    row && isVisible(row.id) ? row : undefined;
  const refs = refsOf(operations);
  const { tagNames } = refs;
  const home = refs.newIn && visible(await findProject(db, refs.newIn, tagNames));
  const knownProject = projectId ?? home?.id;
  const needsProject = !home && (refs.clones || tagNames.length > 0);
  const found = await findFlags(db, {
    ...refs.flags,
    projectId: knownProject,
    tagNames: needsProject ? tagNames : undefined,
    withRequired: operations.some(({ kind }) => kind === "flag.unarchive" || kind === "flag.clone"),
  });
  const ofProject =
    knownProject ?? found.flags.find((flag) => isVisible(flag.projectId))?.projectId;
  const mine: OfProject = (rows) =>
    rows.filter(
      (row) => isVisible(row.projectId) && (ofProject ?? row.projectId) === row.projectId,
    );
  const flagsById = new Flags(mine(found.flags));
  const project = home ?? visible(found.project);
  const pairs = refs.pairs.flatMap(({ flag, environmentId }) => {
    const flagId = "flagId" in flag ? flag.flagId : flagsById.of(flag)?.id;
    return flagId === undefined ? [] : [{ flagId, environmentId }];
  });
  const strategies = await readAll(
    db,
    { targets: pairs, bytes: pairBytes(pairs), maxBytes },
    (condition) => findStrategies(db, pairs, condition),
  );
  const rowsOfProject = {
    project,
    flags: flagsById,
    strategies: new Map(
      strategies
        .filter(({ flag }) => mine([flag]).length > 0)
        .map((row) => [strategyKey(row.flagId, row.environmentId), row]),
    ),
    segments: byId(mine(await findSegments(db, refs, { projectId: ofProject, maxBytes }))),
    tags: byId(mine([...(project?.tags ?? []), ...(await findByIds(db, tags, refs.tagIds))])),
    contexts: byId(mine(await findByIds(db, contextDefinitions, refs.contextIds))),
    users: new Set(await existingUsers(db, [...refs.userIds])),
  };
  return {
    ...rowsOfProject,
    ...(await readFacts(db, operations, { ...rowsOfProject, pairs, mine })),
  };
}

/** Returns the flags of `findFlagStates`, with a statement for each `PAGE`. */
async function findFlags(
  db: ReadDb,
  refs: Parameters<typeof findFlagStates>[1],
): ReturnType<typeof findFlagStates> {
  const { ids, keys } = refs;
  if (refs.projectId === undefined || ids.length + keys.length <= PAGE)
    return findFlagStates(db, refs);
  const found = new Map<number, FlagState>();
  let project: ProjectWithTags | undefined;
  for (let start = 0; start < Math.max(ids.length, keys.length); start += PAGE) {
    const [end, tagNames] = [start + PAGE, project ? undefined : refs.tagNames];
    const some = { ids: ids.slice(start, end), keys: keys.slice(start, end) };
    const page = await findFlagStates(db, { ...refs, ...some, tagNames });
    project ??= page.project;
    for (const flag of page.flags) found.set(flag.id, flag);
  }
  return { flags: [...found.values()], project };
}

/**
 * The most bytes of strategies, and of segments, that the operations of one request read. Planning
 * and describing them takes 0.2 s for each MB (docs/build/performance.md).
 */
const MAX_READ_BYTES = 1_000_000;

interface Limited {
  readonly targets: readonly unknown[];
  readonly bytes: SQL;
  readonly maxBytes: number;
}

/**
 * Reads the rows of targets. One target has a limited size. Throws: 400 if several are larger than
 * `maxBytes` together.
 */
async function readAll<T>(
  db: ReadDb,
  { targets, bytes, maxBytes }: Limited,
  read: (condition: SQL | undefined) => Promise<T[]>,
): Promise<T[]> {
  const advice = "send the operations in several requests";
  if (targets.length > 1 && targets.length <= PAGE)
    return readFitting(db, { bytes, advice, max: maxBytes }, read);
  // Checks the size once, and not in the statement of each page.
  if (targets.length > PAGE) await expectFits(db, bytes, advice, maxBytes);
  return read(undefined);
}

/** Returns the segments with these ids, and the segments of the project with these names. */
async function findSegments(
  db: ReadDb,
  { segmentIds, segmentNames }: ReturnType<typeof refsOf>,
  { projectId, maxBytes }: { readonly projectId: number | undefined; readonly maxBytes: number },
) {
  const refs = [...segmentIds, ...segmentNames];
  if (refs.length === 0) return [];
  const isRef =
    segmentNames.length === 0
      ? inIds(segments.id, segmentIds)
      : sql`(${inIds(segments.id, segmentIds)}
        OR (${segments.projectId} = ${projectId ?? null} AND ${segments.name} IN ${inList(segmentNames)}))`;
  const bytes = sql`(SELECT coalesce(sum(octet_length(constraints)), 0) FROM segments WHERE ${isRef})`;
  return readAll(db, { targets: refs, bytes, maxBytes }, (condition) =>
    db.select().from(segments).where(and(isRef, condition)),
  );
}
