import type { Segment, Strategy } from "../../shared/api/types.ts";
import { isProduction } from "../../shared/data/environments.ts";
import {
  isSameField,
  STRATEGY_FIELDS,
  type StrategyField,
  type StrategySettings,
} from "../../shared/strategy/fields.tsx";

/**
 * The strategy fields that the strategy form edits. `enabled` is not among them, because the switch
 * beside the form saves `enabled` immediately.
 */
export type StrategyContent = Omit<StrategySettings, "enabled">;
export type ContentField = keyof StrategyContent;

export type SegmentsById = ReadonlyMap<number, Segment>;

export const CONTENT_FIELDS = STRATEGY_FIELDS.filter((field) => field !== "enabled");

/** Returns only those fields of a strategy that the strategy form edits. */
export const contentOf = (strategy: StrategyContent): StrategyContent =>
  Object.fromEntries(CONTENT_FIELDS.map((field) => [field, strategy[field]])) as StrategyContent;

/**
 * Returns the strategy fields in which two strategies differ. Values with the same effect count as
 * equal.
 */
export const differingFields = (a: StrategySettings, b: StrategySettings): StrategyField[] =>
  STRATEGY_FIELDS.filter((field) => !isSameField(field, a, b));

export const isSameContent = (a: StrategyContent, b: StrategyContent): boolean =>
  CONTENT_FIELDS.every((field) => isSameField(field, a, b));

/**
 * Returns the strategy for the right side of a comparison: that of the environment with the id
 * `chosen`, otherwise that of production, otherwise the first one. Never returns `left`; returns
 * undefined if `left` is the only strategy.
 */
export function strategyToCompare(
  strategies: readonly Strategy[],
  left: Strategy,
  chosen: number | undefined,
): Strategy | undefined {
  const others = strategies.filter(({ environmentId }) => environmentId !== left.environmentId);
  return (
    others.find(({ environmentId }) => environmentId === chosen) ??
    others.find(({ environmentName }) => isProduction({ name: environmentName })) ??
    others[0]
  );
}
