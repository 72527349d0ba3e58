import { type SQL, sql } from "drizzle-orm";
import {
  DEFAULT_STRATEGY,
  type StrategyContent,
  usedSegments,
} from "../core/strategies/strategy.ts";
import type { NamedTag, TagInput } from "../model/flags/attached-tags.ts";
import type {
  FlagRef,
  Operation,
  OperationOn,
  SegmentRef,
  StrategyInput,
} from "./plan/operation.ts";

export function refsOf(operations: readonly Operation[]) {
  const flagIds: number[] = [];
  const flagKeys = new Set<string>();
  const pairs: { readonly flag: FlagRef; readonly environmentId: number }[] = [];
  const segmentIds: number[] = [];
  const segmentNames = new Set<string>();
  const tagIds: number[] = [];
  const contextIds: number[] = [];
  const userIds = new Set<number>();
  const tagNames = new Set<string>();
  let newIn: SQL | undefined;
  let clones = false;
  const addFlag = (ref: FlagRef) => {
    if ("flagId" in ref) flagIds.push(ref.flagId);
    else flagKeys.add(ref.flagKey);
  };
  const addTag = (tag: TagInput | NamedTag) => {
    if (typeof tag === "string") tagNames.add(tag);
    else if ("tagName" in tag) tagNames.add(tag.tagName);
    else tagIds.push(tag.tagId);
  };
  for (const operation of operations) {
    switch (operation.kind) {
      case "flag.create":
      case "segment.create":
      case "tag.create":
      case "context.create":
        newIn = sql`${operation.target.projectId}`;
        break;
      case "flag.clone":
        addFlag(operation.target);
        clones = true;
        break;
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
      case "context.replace-values":
        if ("id" in operation.target) contextIds.push(operation.target.id);
        break;
      case "ramp.start": {
        const { flag, environmentId } = operation.target;
        pairs.push({ flag, environmentId });
        if ("flagKey" in flag) addFlag(flag);
        newIn = sql`(SELECT project_id FROM environments WHERE id = ${environmentId})`;
        break;
      }
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
            if (typeof ref === "string") segmentNames.add(ref);
        break;
      }
      default:
        addFlag(operation.target);
    }
    if (operation.kind === "flag.create" || operation.kind === "flag.update") {
      for (const { flagKey } of operation.input.prerequisites ?? []) flagKeys.add(flagKey);
      for (const id of operation.input.ownerIds ?? []) userIds.add(id);
      for (const tag of operation.input.tags ?? []) addTag(tag);
    }
    if (operation.kind === "flag.tag") addTag(operation.input);
  }
  return {
    flags: { ids: flagIds, keys: [...flagKeys] },
    pairs,
    segmentIds,
    segmentNames: [...segmentNames],
    tagIds,
    tagNames: [...tagNames],
    contextIds,
    userIds,
    /** The project of the rows that operations create. Undefined: none create a row. */
    newIn,
    clones,
  };
}

/** Returns the segments that a change of a strategy names, of all its rules. */
const segmentRefs = ({
  segmentIds = [],
  rules = [],
}: Pick<StrategyInput, "segmentIds"> & {
  readonly rules?: readonly Pick<StrategyInput, "segmentIds">[] | undefined;
}): SegmentRef[] => [...segmentIds, ...rules.flatMap((rule) => rule.segmentIds ?? [])];

export const isOfStrategy = (operation: Operation): operation is StrategyOperation =>
  operation.kind.startsWith("strategy.");

type StrategyOperation = OperationOn<"strategy">;

/** Returns the ids of the segments that a strategy uses after an operation. */
export function wantedSegments(
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
