import type { Rule, Strategy } from "../../shared/api/types.ts";
import { isSameField, STRATEGY_FIELDS } from "../../shared/strategy/fields.tsx";
import type { StrategyContent } from "../../shared/strategy/settings.ts";
import type { DraftRule } from "./draft-rules.ts";

/** The content of a strategy in the form, where each rule has an id. */
export interface StrategyDraft extends StrategyContent {
  rules: readonly DraftRule[];
}

export const CONTENT_FIELDS = STRATEGY_FIELDS.filter((field) => field !== "enabled");

/** Returns only those fields of a strategy that the strategy form edits. */
export const contentOf = (strategy: Strategy): StrategyDraft => ({
  ...(Object.fromEntries(
    CONTENT_FIELDS.map((field) => [field, strategy[field]]),
  ) as unknown as StrategyContent),
  rules: strategy.rules.map(toDraftRule),
});

function toDraftRule(rule: Rule): DraftRule {
  const { percentage: _, ...draft } = rule;
  return draft;
}

/** Returns the fields of the strategy form in which two contents differ. */
export const changedFields = (a: StrategyContent, b: StrategyContent) =>
  CONTENT_FIELDS.filter((field) => !isSameField(field, a, b));

export const isSameContent = (a: StrategyContent, b: StrategyContent): boolean =>
  CONTENT_FIELDS.every((field) => isSameField(field, a, b));

interface ComparedSide {
  /** The id of the environment that the user has chosen for the right side of the comparison. */
  chosen?: number | undefined;
  isProduction: (environmentId: number) => boolean;
}

/** Returns the chosen strategy, else production's, else the first one. Never returns `left`. */
export function strategyToCompare(
  strategies: readonly Strategy[],
  left: Strategy,
  { chosen, isProduction }: ComparedSide,
): Strategy | undefined {
  const others = strategies.filter(({ environmentId }) => environmentId !== left.environmentId);
  return (
    others.find(({ environmentId }) => environmentId === chosen) ??
    others.find(({ environmentId }) => isProduction(environmentId)) ??
    others[0]
  );
}

/** Returns the id and the name of a strategy's environment. */
export const environmentOf = ({ environmentId, environmentName }: Strategy) => ({
  id: environmentId,
  name: environmentName,
});
