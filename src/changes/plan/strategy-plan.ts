import { changedFields } from "../../core/audit/changed-fields.ts";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import { mergeStrategy, type StrategyChange } from "../../core/strategies/change.ts";
import { copiedStrategy } from "../../core/strategies/copy.ts";
import {
  DEFAULT_STRATEGY,
  type StrategyContent,
  usedSegments,
} from "../../core/strategies/strategy.ts";
import { sizeErrors, strategyErrors } from "../../core/strategies/validate.ts";
import { auditedStrategy, strategyView } from "../../core/strategies/view.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { RuleEffect } from "../../core/protection/rule-change.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import type { OperationOn, SegmentRef, StrategyInput, StrategyTarget } from "./operation.ts";
import { Refusal, strategyKey } from "./state.ts";
import { assertValid, assertVersion, type Work } from "./work.ts";

type StrategyOperation = OperationOn<"strategy">;

/** Plans an operation of a strategy. Throws: `Refusal`. */
export function planStrategy(work: Work, operation: StrategyOperation, n: number): void {
  const row = strategyIn(work, operation.target);
  assertVersion(operation, row.version, row.flag.key);
  const after = contentAfter(work, operation, row);
  const { flag, content } = row;
  const isSwitchedOn = operation.kind === "strategy.switch" && operation.input;
  const isEnabledByCopy = operation.kind === "strategy.copy" && after.enabled && !content.enabled;
  if ((isSwitchedOn || isEnabledByCopy) && flag.archived) {
    const message = "An archived flag cannot be switched on; unarchive the flag first";
    throw new Refusal(conflict(message), "archived", flag.key);
  }
  setContent(work, row, { after, operation: n, record: { revertsId: operation.revertsId } });
}

interface NewContent {
  readonly after: StrategyContent;
  /** The index of the operation that sets it. */
  readonly operation: number;
  readonly record: Pick<AuditEntry, "revertsId" | "rampId">;
}

/**
 * Gives a strategy another content, and records that. Returns whether the content differs. Throws:
 * `Refusal` for a segment that does not exist, and for constraints that are too large.
 */
export function setContent(
  work: Work,
  row: StrategyRow,
  { after, operation, record }: NewContent,
): boolean {
  const { flagId, flag, environmentId, environmentName, content } = row;
  const { projectId, key, name, variants } = flag;
  if (after === content) return false;
  const [before, recorded] = [content, after].map((one) => auditedStrategy(one, variants));
  const changed = changedFields({ before: { ...before }, after: { ...recorded } });
  if (!changed) return false;
  const changedNames = Object.keys({ ...changed.before, ...changed.after });
  assertSegmentsExist(work, content, after);
  assertValid(sizeErrors(content, after));
  const updatedAt = work.now;
  const written = { ...row, content: after, version: row.version + 1, updatedAt };
  work.strategies.set(strategyKey(flagId, environmentId), written);
  work.records.push({
    operation,
    audit: [
      {
        action: "strategy.updated",
        entityType: "flag",
        entityId: flagId,
        projectId,
        environmentId,
        before,
        after: recorded,
        ...record,
      },
    ],
    event: {
      type: "flag.updated",
      projectId,
      entityId: flagId,
      data: {
        flag: { key, name },
        environment: { id: environmentId, name: environmentName },
        strategy: strategyView(after, variants),
        changed: changedNames,
      },
    },
  });
  work.changeRules({ key, name }, environmentId, effectOf(work, row, changedNames));
  return true;
}

/**
 * Returns what a change of some fields of a strategy does to verdicts. A new flag that stays off has
 * no effect.
 */
function effectOf(
  { initial, flags }: Work,
  { flagId, content: { enabled } }: StrategyRow,
  changed: readonly string[],
): RuleEffect {
  const isNew = flags.has(flagId) && !initial.flags.has(flagId);
  if (isNew && !enabled && !changed.includes("enabled")) return "none";
  return enabled && changed.length === 1 && changed[0] === "enabled"
    ? { kind: "turn-off", flagId }
    : "any";
}

function contentAfter(work: Work, operation: StrategyOperation, row: StrategyRow): StrategyContent {
  const { content, flag } = row;
  const { variants } = flag;
  const { newRuleId } = work;
  switch (operation.kind) {
    case "strategy.set": {
      const change = toChange(work, operation.input);
      assertValid(strategyErrors(change, content.rules, variants));
      return mergeStrategy(content, change, { variants, newRuleId });
    }
    case "strategy.switch":
      return content.enabled === operation.input
        ? content
        : { ...content, enabled: operation.input };
    case "strategy.copy": {
      const { fromEnvironmentId, ifMatchSource, withState } = operation.input;
      const source = strategyIn(work, { ...operation.target, environmentId: fromEnvironmentId });
      if (ifMatchSource && !ifMatchSource.includes(source.version))
        throw new Refusal(conflict("The source has changed"), "version", flag.key);
      return copiedStrategy(source.content, content, { variants, newRuleId, withState });
    }
    default:
      return operation.input;
  }
}

/** Returns the strategy of a target. Throws: 404. */
export function strategyIn(work: Work, { flag: ref, environmentId }: StrategyTarget): StrategyRow {
  const flag = work.flags.of(ref);
  const flagId = "flagId" in ref ? ref.flagId : flag?.id;
  const row =
    flagId === undefined ? undefined : work.strategies.get(strategyKey(flagId, environmentId));
  const isDeleted = row !== undefined && work.initial.flags.has(row.flagId) && !flag;
  if (row && !isDeleted) return flag ? { ...row, flag: flagOfStrategy(flag) } : row;
  const environment = work.initial.environments.get(environmentId);
  if (flag && environment?.projectId === flag.projectId)
    return newStrategy(flag, environmentId, environment);
  throw flag
    ? new Refusal(notFound("The environment does not exist in the flag's project"))
    : new Refusal(
        notFound("The flag does not exist"),
        "unknown-flag",
        "flagId" in ref ? ref.flagId : ref.flagKey,
      );
}

/** Returns the strategy of a flag in an environment in which nobody has set it. */
const newStrategy = (
  flag: FlagState,
  environmentId: number,
  { name, production }: { readonly name: string; readonly production: boolean },
): StrategyRow => ({
  flagId: flag.id,
  flag: flagOfStrategy(flag),
  environmentId,
  environmentName: name,
  isProduction: production,
  content: DEFAULT_STRATEGY,
  version: 0,
  updatedAt: null,
});

const flagOfStrategy = ({ variants, ...flag }: FlagState): StrategyRow["flag"] => ({
  projectId: flag.projectId,
  key: flag.key,
  name: flag.name,
  variants: variants.map(({ key }) => key),
  offVariant: flag.offVariant,
  archived: flag.archived,
  version: flag.version,
});

/** Returns a requested change with one percentage, and with the ids of named segments. Throws: 404. */
function toChange({ segments }: Work, { rules, ...last }: StrategyInput): StrategyChange {
  const idOf = (ref: SegmentRef): number => {
    const id = typeof ref === "string" ? segments.named(ref)?.id : ref;
    if (id === undefined) throw new Refusal(segmentMissing);
    return id;
  };
  const changed = <T extends Omit<StrategyInput, "rules">>({
    percentage,
    exactPercentage = percentage,
    segmentIds,
    ...rest
  }: T) => ({
    ...rest,
    percentage: exactPercentage,
    segmentIds: segmentIds && [...new Set(segmentIds.map(idOf))],
  });
  return { ...changed(last), rules: rules?.map(changed) };
}

/** Throws: 404 if a strategy starts to use a segment that its project does not have. */
function assertSegmentsExist(
  { segments, initial }: Work,
  before: StrategyContent,
  after: StrategyContent,
): void {
  const used = new Set(usedSegments(before));
  const isKnown = (id: number) =>
    segments.has(id) || (!initial.segments.has(id) && initial.segmentBytes.has(id));
  if (usedSegments(after).some((id) => !used.has(id) && !isKnown(id)))
    throw new Refusal(segmentMissing);
}

const segmentMissing = notFound("A segment does not exist in the flag's project");
