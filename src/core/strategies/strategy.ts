import type { Constraint } from "@feature-flags/evaluation/rule";
import { jsonList, type Stored, textOrNull, trueOrFalse, wholeNumber } from "./stored-values.ts";

/** The fields of a strategy: they decide who gets a flag in one environment. */
export interface StrategyContent {
  readonly enabled: boolean;
  /** Percentage of targeting keys, a whole number from 0 to 100. */
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  /** The context field that is hashed; null stands for the first of `DEFAULT_STICKINESS` present. */
  readonly stickiness: string | null;
}

export type StrategyField = keyof StrategyContent;

/** What a caller sends to change a strategy: a field that is left out keeps its value. */
export type StrategyChange = {
  readonly [F in StrategyField]?: StrategyContent[F] | undefined;
};

interface FieldDefinition<T> {
  /** The value until the strategy is set, and in rows that are older than the column. */
  readonly default: T;
  readonly stored: Stored<T>;
}

/**
 * The definition of every field, in the order of the audit content and of the API response.
 * Columns, defaults, merge and row parser follow from it (`src/db/strategy-columns.ts`).
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

/** A strategy that was never set: off, at 100 %, without conditions. */
export const DEFAULT_STRATEGY: StrategyContent = contentOf((field) => FIELDS[field].default);

/** The strategy after the change. */
export const mergeStrategy = (before: StrategyContent, change: StrategyChange): StrategyContent =>
  contentOf((field) => {
    const changed: StrategyContent[typeof field] | undefined = change[field];
    return changed === undefined ? before[field] : changed;
  });

/**
 * The strategy in a database row that has one column per field, named like the field. NULL stands
 * for the default, so the nulls of a LEFT JOIN without a match give `DEFAULT_STRATEGY`.
 * Throws: a value that `storedValue` never writes.
 */
export function readStrategy(row: Readonly<Record<StrategyField, unknown>>): StrategyContent {
  const content: Record<StrategyField, unknown> = { ...DEFAULT_STRATEGY };
  // A plain loop: the client API runs it for every flag of an environment.
  for (const { field, read } of READERS) {
    const value = row[field];
    if (value !== null) content[field] = read(value, field);
  }
  return content as StrategyContent;
}

/** The value of the field as its database column holds it. */
export const storedValue = <F extends StrategyField>(
  field: F,
  value: StrategyContent[F],
): string | number | null => FIELDS[field].stored.write(value);

function contentOf(valueOf: <F extends StrategyField>(field: F) => StrategyContent[F]) {
  const content: Partial<Record<StrategyField, unknown>> = {};
  for (const field of STRATEGY_FIELDS) content[field] = valueOf(field);
  return content as StrategyContent;
}
