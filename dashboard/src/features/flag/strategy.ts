import type { Segment, Strategy } from "../../shared/api/types.ts";
import { isProduction } from "../../shared/data/environments.ts";
import {
  isSameField,
  STRATEGY_FIELDS,
  type StrategyField,
  type StrategySettings,
} from "../../shared/strategy/fields.tsx";

/** The fields that the form edits. `enabled` has a switch of its own, which saves at once. */
export type StrategyContent = Omit<StrategySettings, "enabled">;
export type ContentField = keyof StrategyContent;

export type SegmentsById = ReadonlyMap<number, Segment>;

export const CONTENT_FIELDS = STRATEGY_FIELDS.filter((field) => field !== "enabled");

/** The fields of the form, without the rest of the strategy. */
export const contentOf = (strategy: StrategyContent): StrategyContent =>
  Object.fromEntries(CONTENT_FIELDS.map((field) => [field, strategy[field]])) as StrategyContent;

/** The fields whose values differ in effect. */
export const differingFields = (a: StrategySettings, b: StrategySettings): StrategyField[] =>
  STRATEGY_FIELDS.filter((field) => !isSameField(field, a, b));

export const isSameContent = (a: StrategyContent, b: StrategyContent): boolean =>
  CONTENT_FIELDS.every((field) => isSameField(field, a, b));

/**
 * The strategy on the right of a comparison: the chosen one, else that of production, else the
 * first of another environment.
 */
export function counterpartOf(
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
