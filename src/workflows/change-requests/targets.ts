import { type Content, canonicalJson } from "../../core/audit/changed-fields.ts";
import type { Schedule } from "../../core/change-requests/schedule.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { usedSegments } from "../../core/strategies/strategy.ts";
import { auditedStrategy, fromAudited } from "../../core/strategies/view.ts";
import type { ReadDb } from "../../db/database.ts";
import { segments } from "../../db/schema/projects.ts";
import { recordedContent } from "../../model/flags/content.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import { valuesOf } from "../../model/flags/values.ts";
import { segmentContent } from "../../changes/plan/content.ts";
import { findFlagStates } from "../../changes/flag-states.ts";
import { byId, findByIds } from "../../changes/rows-by-id.ts";
import { rampInput } from "../../changes/started-ramps.ts";
import type { NewRamp } from "../../model/ramps/queries.ts";
import { strategyKey } from "../../changes/plan/state.ts";
import type { SegmentRow } from "../../model/segments/queries.ts";
import { findStrategies, strategiesOf, type StrategyRow } from "../../model/strategies/queries.ts";
import { recordedStrategy } from "../../changes/recorded-strategy.ts";
import type { WrittenOperation, Target } from "../../model/change-requests/operations.ts";

interface DependsOn {
  /** The earlier request on whose result a request is based. Null: on the present state. */
  readonly dependsOn: number | null;
}

/** What a request is based on, as it is now. */
export interface Current {
  readonly flags: ReadonlyMap<number, FlagState>;
  /** By `strategyKey`. */
  readonly strategies: ReadonlyMap<string, StrategyRow>;
  readonly segments: ReadonlyMap<number, SegmentRow>;
}

export const auditedToStrategy = (content: Content) => fromAudited(recordedStrategy.parse(content));

/** Reads the targets of operations, the flags of their strategies, and the segments that these use. */
export async function readCurrent(
  db: ReadDb,
  projectId: number,
  operations: readonly WrittenOperation[],
): Promise<Current> {
  const flagIds = new Set<number>();
  const segmentIds = new Set<number>();
  const pairs: { flagId: number; environmentId: number }[] = [];
  const sourceIds: number[] = [];
  for (const { kind, targetId, environmentId, after } of operations) {
    if (kind === "segment.update") {
      segmentIds.add(targetId);
      continue;
    }
    flagIds.add(targetId);
    if (kind === "flag.clone") sourceIds.push(targetId);
    if (environmentId === null) continue;
    pairs.push({ flagId: targetId, environmentId });
    for (const id of usedSegments(auditedToStrategy(after))) segmentIds.add(id);
  }
  const [{ flags }, strategies, used] = await Promise.all([
    findFlagStates(db, { ids: [...flagIds], keys: [], projectId }),
    findStrategies(db, pairs),
    findByIds(db, segments, [...segmentIds]),
  ]);
  const sources = flags.filter(({ id }) => sourceIds.includes(id));
  const copied = sources.length > 0 ? await strategiesOf(db, sources, undefined) : [];
  const ofCopied = new Set(copied.flatMap(({ content }) => usedSegments(content)));
  const furtherIds = [...ofCopied].filter((id) => !segmentIds.has(id));
  const further = furtherIds.length > 0 ? await findByIds(db, segments, furtherIds) : [];
  return {
    flags: byId(flags),
    strategies: new Map(
      [...strategies, ...copied].map((row) => [strategyKey(row.flagId, row.environmentId), row]),
    ),
    segments: byId([...used, ...further]),
  };
}

/** Returns the flag or the segment of an operation; undefined if it does not exist. */
export const targetOf = (
  { flags, segments: all }: Current,
  { kind, targetId }: Target,
): { readonly name: string } | undefined =>
  kind === "segment.update" ? all.get(targetId) : flags.get(targetId);

/** Returns the row of a target with its version; undefined if it does not exist. */
export function rowOf(
  current: Current,
  { kind, targetId, environmentId }: Target,
): { readonly version: number } | undefined {
  if (kind === "segment.update") return current.segments.get(targetId);
  return environmentId === null
    ? current.flags.get(targetId)
    : current.strategies.get(strategyKey(targetId, environmentId));
}

/** Returns the content of a target; undefined if it does not exist. `ramps`: those that start. */
export function targetContent(
  {
    flags,
    strategies,
    segments: all,
    ramps = [],
  }: Pick<Current, "strategies" | "segments"> & {
    readonly flags: ReadonlyMap<number, FlagState>;
    readonly ramps?: readonly NewRamp[];
  },
  { kind, targetId, environmentId }: Target,
): Content | undefined {
  if (kind === "segment.update") {
    const segment = all.get(targetId);
    return segment && segmentContent(segment);
  }
  const flag = flags.get(targetId);
  // What a clone changes is the new flag, which does not exist before.
  if (kind === "flag.clone") return flag && {};
  if (environmentId === null) return flag && { ...recordedContent(flag), archived: flag.archived };
  const row = strategies.get(strategyKey(targetId, environmentId));
  const content = row && { ...auditedStrategy(row.content, row.flag.variants) };
  if (!content || kind !== "ramp.start") return content;
  const ramp = ramps.find((one) => one.flagId === targetId && one.environmentId === environmentId);
  return { ...content, ramp: ramp ? rampInput(ramp) : null };
}

/** Returns the part of a flag that decides verdicts. */
const evaluated = (flag: FlagState | undefined) =>
  flag && { ...valuesOf(flag), prerequisites: flag.prerequisites, archived: flag.archived };

/** What stands for a strategy in a hash: its version, which each change increases, or its content. */
type StrategyPart = (row: StrategyRow) => unknown;

const versionOf: StrategyPart = ({ version }) => version;
const contentOf: StrategyPart = ({ content }) => content;

/** Returns what a clone copies: the content of its source, and the strategies in all environments. */
function sourceOf(
  { flags, strategies, segments: all }: Current,
  flagId: number,
  partOf: StrategyPart,
): unknown {
  const flag = flags.get(flagId);
  if (!flag) return null;
  const copied = [...strategies.values()]
    .filter((row) => row.flagId === flagId)
    .toSorted((a, b) => a.environmentId - b.environmentId)
    .map((row) => [
      row.environmentId,
      partOf(row),
      usedSegments(row.content).map((id) => [id, all.get(id)?.constraints ?? null]),
    ]);
  const { name: _, ...content } = recordedContent(flag);
  return [content, flag.archived, copied];
}

/** Returns what an operation is based on: a change of it makes the request outdated. */
function basisOf(current: Current, operation: WrittenOperation, partOf: StrategyPart): unknown {
  const { kind, targetId, environmentId, after } = operation;
  const constraints = (id: number) => current.segments.get(id)?.constraints ?? null;
  if (kind === "segment.update") return constraints(targetId);
  if (kind === "flag.clone") return sourceOf(current, targetId, partOf);
  const flag = evaluated(current.flags.get(targetId)) ?? null;
  if (environmentId === null) return flag;
  const row = current.strategies.get(strategyKey(targetId, environmentId));
  const used = usedSegments(auditedToStrategy(after)).toSorted((a, b) => a - b);
  return [row ? partOf(row) : null, flag, used.map((id) => [id, constraints(id)])];
}

/**
 * Returns the digest of what an operation is based on, by content: what was changed and changed back is
 * the same. The hash of a request has versions instead, because requests of earlier releases do.
 */
export const basisDigest = (current: Current, operation: WrittenOperation): Promise<string> =>
  sha256(canonicalJson(basisOf(current, operation, contentOf)));

/**
 * Returns the hash of the content of a request: the SHA-256 of its targets, of their contents after the request, of
 * what they are based on, and of when the service applies it. So an approval is bound to what it
 * approves.
 */
export function hashOf(
  operations: readonly WrittenOperation[],
  current: Current,
  { applyAt, latestAt, dependsOn }: Pick<Schedule, "applyAt" | "latestAt"> & DependsOn,
): Promise<string> {
  const content = operations.map((operation) => {
    const { kind, targetId, environmentId, after } = operation;
    return [kind, targetId, environmentId, after, basisOf(current, operation, versionOf)];
  });
  const isPlain = applyAt === null && dependsOn === null;
  // An earlier request can still change without another version of what it will have written.
  const results =
    dependsOn === null ? [] : operations.map((one) => targetContent(current, one) ?? null);
  return sha256(
    canonicalJson(isPlain ? content : [applyAt, latestAt, dependsOn, results, content]),
  );
}
