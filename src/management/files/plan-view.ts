import { pathOf } from "@feature-flags/file/diff";
import { defaultOf } from "@feature-flags/file/defaults";
import type {
  Conflict,
  FilePlan,
  PlannedChange,
  PlannedEnvironment,
} from "@feature-flags/file/plan";
import { own } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { inTurns, Turns } from "../../core/lib/turns.ts";
import { changedShareOf } from "../../core/strategies/changed-variants.ts";
import { DEFAULT_STRATEGY, usedSegments } from "../../core/strategies/strategy.ts";
import type { ReadDb } from "../../db/database.ts";
import { iso } from "../../http/schema.ts";
import type { Plan } from "../../changes/plan/plan.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import { lastChanges } from "./changed-by.ts";
import type { Comparison } from "../../workflows/files/comparison.ts";
import { type Checks, countDeliveries, NO_CHECKS } from "./evaluation-counts.ts";

/** How long the shares of moved users may take, milliseconds of CPU time. */
const MAX_MOVES_MS = 2000;

/** A strategy that the operations change. `moves`: undefined until it is computed. */
interface Moved {
  readonly after: StrategyRow;
  readonly isNew: boolean;
  readonly moves: number | null;
}

interface View {
  /** What the operations do; undefined without operations. */
  readonly plan: Plan | undefined;
  readonly approval: FilePlan["approval"];
  /** Reads how often flags were checked. */
  readonly readChecks: Checks;
  /** Whether conflicts name the users who have made them. API keys and service accounts see no users. */
  readonly showsPeople: boolean;
}

/** Returns a plan as the API shows it. */
export async function planView(
  db: ReadDb,
  comparison: Comparison,
  { plan, approval, readChecks, showsPeople }: View,
): Promise<FilePlan> {
  const { draft, content } = comparison;
  const moved = plan ? await movedStrategies(plan) : [];
  const movesByPath = new Map(
    moved.map(({ after, moves }) => [
      pathOf({ kind: "strategy", key: after.flag.key, environment: after.environmentName }),
      moves,
    ]),
  );
  return {
    id: draft.id,
    changes: await inTurns(shownChanges(comparison, movesByPath)),
    environments: await environmentsOf(content.environments, moved, readChecks),
    conflicts: await conflictsOf(db, comparison, showsPeople),
    released: await inTurns(releasedOf(draft)),
    warnings: draft.warnings,
    deliveries: plan
      ? await countDeliveries(
          db,
          content.project.projectId,
          plan.work.records.flatMap(({ event }) => event?.type ?? []),
        )
      : 0,
    approval,
  };
}

/**
 * Returns the changed strategies with the share of ids that get another variant. After
 * `MAX_MOVES_MS`, the share is null. A clock advances only while the isolate waits, so the
 * computation waits now and then, which also lets other requests run.
 */
async function movedStrategies({ work }: Plan): Promise<Moved[]> {
  const result: Moved[] = [];
  const start = Date.now();
  const turns = new Turns();
  for (const [key, after] of work.strategies) {
    const before = work.initial.strategies.get(key)?.content ?? DEFAULT_STRATEGY;
    if (before === after.content) continue;
    await turns.next(after.content);
    const isNew = !work.initial.flags.has(after.flagId) && work.flags.has(after.flagId);
    const isTooLate = Date.now() - start > MAX_MOVES_MS;
    const moves = isNew ? 0 : isTooLate ? null : changedShareOf(after.flag, before, after.content);
    result.push({ after, isNew, moves });
  }
  return result;
}

function* shownChanges(
  { draft, content, ids }: Comparison,
  moves: ReadonlyMap<string, number | null>,
): Pausing<PlannedChange[]> {
  const hasSegments = draft.differences.some(({ kind }) => kind === "segment");
  const users = hasSegments ? yield* segmentUsers(content) : undefined;
  const changes: PlannedChange[] = [];
  for (const one of draft.differences) {
    yield;
    const { kind, key, environment, before, after } = one;
    const id = kind === "segment" ? ids.of(one) : undefined;
    changes.push({
      path: pathOf(one),
      ...(before !== undefined && { before }),
      after,
      moves: moves.get(pathOf({ kind, key, environment })) ?? null,
      ...(id !== undefined && { flags: [...(users?.get(id) ?? [])].toSorted() }),
    });
  }
  return [
    ...draft.renames.map(({ kind, from, to }) => ({
      path: pathOf({ kind, key: to }),
      before: from,
      after: to,
      moves: null,
    })),
    ...draft.restored.map(({ key }) => archiving(key, { before: true, after: false })),
    ...changes,
    ...draft.archived.map(({ key }) => archiving(key, { before: false, after: true })),
  ];
}

function* releasedOf({ released, file }: Comparison["draft"]): Pausing<FilePlan["released"]> {
  const result: FilePlan["released"][number][] = [];
  for (const place of released) {
    yield;
    const flag = own(file.flags, place.key);
    const usual = defaultOf({ ...place, flag }, place.field ?? "");
    result.push({ path: pathOf(place), ...(usual !== undefined && { default: usual }) });
  }
  return result;
}

/** Returns the keys of the flags that use each segment. */
function* segmentUsers({
  strategies,
}: Comparison["content"]): Pausing<ReadonlyMap<number, ReadonlySet<string>>> {
  const users = new Map<number, Set<string>>();
  for (const { content, flag } of strategies) {
    yield;
    for (const id of usedSegments(content)) {
      const keys = users.get(id);
      if (keys) keys.add(flag.key);
      else users.set(id, new Set([flag.key]));
    }
  }
  return users;
}

/** Returns the change of whether a flag is archived. The file has no such field. */
const archiving = (key: string, sides: { before: boolean; after: boolean }): PlannedChange => ({
  path: `${pathOf({ kind: "flag", key })}/archived`,
  ...sides,
  moves: null,
});

async function environmentsOf(
  environments: readonly { readonly id: number; readonly name: string }[],
  moved: readonly Moved[],
  readChecks: Checks,
): Promise<PlannedEnvironment[]> {
  const byId = Map.groupBy(moved, ({ after }) => after.environmentId);
  const result: PlannedEnvironment[] = [];
  for (const { id, name } of environments) {
    const changed = byId.get(id);
    if (!changed) continue;
    const known = changed.flatMap(({ moves }) => moves ?? []);
    const counted = changed.filter(({ isNew, moves }) => !isNew && moves !== null && moves > 0);
    const checks =
      counted.length === 0
        ? NO_CHECKS
        : await readChecks(
            id,
            counted.map(({ after }) => after.flagId),
          );
    const sum = counted.reduce(
      (total, { after, moves }) => total + (moves ?? 0) * (checks.get(after.flagId) ?? 0),
      0,
    );
    result.push({
      name,
      flags: changed.length,
      maxMoves: known.length < changed.length ? null : Math.max(0, ...known),
      checks24h: Math.round(sum),
    });
  }
  return result;
}

async function conflictsOf(
  db: ReadDb,
  { draft: { conflicts }, ids }: Comparison,
  showsPeople: boolean,
): Promise<Conflict[]> {
  const changes = await lastChanges(
    db,
    conflicts.map(({ place }) => ({
      entityType: place.kind === "strategy" ? "flag" : place.kind,
      entityId: ids.of(place) ?? 0,
      environmentId: place.environment === undefined ? null : ids.environment(place),
    })),
    showsPeople,
  );
  return conflicts.map(({ place, current, wanted, manager }, n): Conflict => {
    const change = changes[n];
    return {
      path: pathOf(place),
      current,
      wanted,
      manager,
      by: change?.name ?? null,
      at: change ? iso(change.at) : null,
    };
  });
}
