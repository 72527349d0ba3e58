import type { Constraint } from "@feature-flags/evaluation/rule";
import { jsonList, type Stored, textOrNull, trueOrFalse, wholeNumber } from "./stored-values.ts";

/** The fields of a strategy, which decides who gets a flag in one environment. */
export interface StrategyContent {
  readonly enabled: boolean;
  /** Percentage of targeting keys, a whole number from 0 to 100. */
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  /**
   * The context field whose value the roll-out hashes. null: the first of `DEFAULT_STICKINESS` that
   * the evaluation context has.
   */
  readonly stickiness: string | null;
}

export type StrategyField = keyof StrategyContent;

/** The fields with which a caller changes a strategy. A field that is left out keeps its value. */
export type StrategyChange = {
  readonly [F in StrategyField]?: StrategyContent[F] | undefined;
};

interface FieldDefinition<T> {
  /**
   * The value of the field in a strategy that was never set, and in rows that are older than the
   * column.
   */
  readonly default: T;
  readonly stored: Stored<T>;
}

/**
 * The definition of every field of a strategy, in the order of the audit trail and of the API
 * response. The defaults, the merge, the row parser and the column lists follow from it
 * (`src/db/strategy-columns.ts`).
 */
const FIELDS: { readonly [F in StrategyField]: FieldDefinition<StrategyContent[F]> } = {
  enabled: { default: false, stored: trueOrFalse },
  percentage: { default: 100, stored: wholeNumber(100) },
  constraints: { default: [], stored: jsonList() },
  segmentIds: { default: [], stored: jsonList() },
  stickiness: { default: null, stored: textOrNull },
};

export const STRATEGY_FIELDS = Object.keys(FIELDS) as readonly StrategyField[];
const READERS = STRATEGY_FIELDS.map((field) => ({ field, read: FIELDS[field].stored.read }));

/** The strategy that was never set: off, with a roll-out of 100 %, without conditions. */
export const DEFAULT_STRATEGY: StrategyContent = contentOf((field) => FIELDS[field].default);

/** Returns the strategy after the change. */
export const mergeStrategy = (before: StrategyContent, change: StrategyChange): StrategyContent =>
  contentOf((field) => {
    const changed: StrategyContent[typeof field] | undefined = change[field];
    return changed === undefined ? before[field] : changed;
  });

/**
 * Reads a strategy from a database row that has one column per field, named like the field. NULL
 * stands for the default, so the nulls of a LEFT JOIN without a match give `DEFAULT_STRATEGY`.
 * Throws: for a value of the wrong type or out of range.
 */
export function readStrategy(row: Readonly<Record<StrategyField, unknown>>): StrategyContent {
  const content: Record<StrategyField, unknown> = { ...DEFAULT_STRATEGY };
  // This is a plain loop, because it runs for every flag when a snapshot is built.
  for (const { field, read } of READERS) {
    const value = row[field];
    if (value !== null) content[field] = read(value, field);
  }
  return content as StrategyContent;
}

/** Returns the value of a strategy's field as the database column stores it. */
export const storedValue = <F extends StrategyField>(
  field: F,
  value: StrategyContent[F],
): string | number | null => FIELDS[field].stored.write(value);

function contentOf(valueOf: <F extends StrategyField>(field: F) => StrategyContent[F]) {
  const content: Partial<Record<StrategyField, unknown>> = {};
  for (const field of STRATEGY_FIELDS) content[field] = valueOf(field);
  return content as StrategyContent;
}
