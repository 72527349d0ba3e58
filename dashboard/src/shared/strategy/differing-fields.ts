import { isSameField, STRATEGY_FIELDS, type StrategyField } from "./fields.tsx";
import type { StrategySettings } from "./settings.ts";

/**
 * Returns the strategy fields in which two strategies differ. Values with the same effect count as
 * equal.
 */
export const differingFields = (a: StrategySettings, b: StrategySettings): StrategyField[] =>
  STRATEGY_FIELDS.filter((field) => !isSameField(field, a, b));
