import type { Constraint, Serve } from "@feature-flags/evaluation/rule";
import {
  storedList,
  storedListOrNull,
  jsonObjectOrNull,
  numberOrNull,
  type Stored,
  textOrNull,
  trueOrFalse,
  wholeNumber,
} from "./stored-values.ts";

/** What a strategy and each of its ordered rules have: whom they apply to, and what they serve. */
export interface ActivationContent {
  /** The percentage of the roll-out without its decimals, a whole number from 0 to 100. */
  readonly percentage: number;
  /** The percentage of the roll-out with up to three decimals. Null: it is `percentage`. */
  readonly exactPercentage: number | null;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  /**
   * The context field whose value the roll-out hashes. If null, the roll-out hashes the first field
   * of `DEFAULT_STICKINESS` that the evaluation context has.
   */
  readonly stickiness: string | null;
  /** A text that replaces the flag key in the hash of the roll-out. Null: the flag key. */
  readonly hashKey: string | null;
  /** A text that replaces the flag key in the hash of the weighted split. Null: the flag key. */
  readonly splitKey: string | null;
  /** The context field that the weighted split hashes. Null: the same field as the roll-out. */
  readonly splitStickiness: string | null;
}

/** An ordered rule of a strategy, as the database stores it. */
export interface StoredRule extends ActivationContent {
  /** Identifies the rule within its strategy. The server assigns it. */
  readonly id: string;
  readonly name: string | null;
  readonly serve: Serve;
}

/**
 * The fields of a strategy. A strategy decides for whom a flag is on in one environment, and what
 * the flag serves.
 */
export interface StrategyContent extends ActivationContent {
  readonly enabled: boolean;
  /** What the last rule serves. Null: the first variant of the flag. */
  readonly serve: Serve | null;
  /** The rules that are tried in order before the strategy's own fields. */
  readonly rules: readonly StoredRule[];
}

export type StrategyField = keyof StrategyContent;

interface FieldDefinition<T> {
  /**
   * The field's value in a strategy that nobody has set, and in database rows that were written
   * before the column existed.
   */
  readonly default: T;
  readonly stored: Stored<T>;
}

/**
 * The definition of every field of a strategy, in the order of the audit trail and of the API
 * response. These definitions determine the defaults, the row parser and the column lists
 * (`src/db/strategy-columns.ts`).
 */
const FIELDS: { readonly [F in StrategyField]: FieldDefinition<StrategyContent[F]> } = {
  enabled: { default: false, stored: trueOrFalse },
  percentage: { default: 100, stored: wholeNumber(100) },
  exactPercentage: { default: null, stored: numberOrNull },
  constraints: { default: [], stored: storedList() },
  segmentIds: { default: [], stored: storedList() },
  stickiness: { default: null, stored: textOrNull },
  hashKey: { default: null, stored: textOrNull },
  serve: { default: null, stored: jsonObjectOrNull() },
  splitKey: { default: null, stored: textOrNull },
  splitStickiness: { default: null, stored: textOrNull },
  rules: { default: [], stored: storedListOrNull() },
};

export const STRATEGY_FIELDS = Object.keys(FIELDS) as readonly StrategyField[];
const READERS = STRATEGY_FIELDS.map((field) => ({ field, read: FIELDS[field].stored.read }));

/**
 * The strategy that applies until somebody sets one: off, with a roll-out of 100 % and without
 * conditions.
 */
export const DEFAULT_STRATEGY = Object.fromEntries(
  STRATEGY_FIELDS.map((field) => [field, FIELDS[field].default]),
) as unknown as StrategyContent;

/**
 * Reads a strategy from a database row. The row has one column per field, with the name of the
 * field. NULL stands for the default. So a LEFT JOIN that finds no row gives `DEFAULT_STRATEGY`.
 * Throws: an error for a value of the wrong type or out of range.
 */
export function readStrategy(row: Readonly<Record<StrategyField, unknown>>): StrategyContent {
  const content: Record<StrategyField, unknown> = { ...DEFAULT_STRATEGY };
  // Uses a plain loop for speed, because this code runs for every flag when a snapshot is built.
  for (const { field, read } of READERS) {
    const value = row[field];
    if (value !== null) content[field] = read(value, field);
  }
  return content as unknown as StrategyContent;
}

/** Returns the value of a strategy's field as the database column stores it. */
export const storedValue = <F extends StrategyField>(
  field: F,
  value: StrategyContent[F],
): string | number | null => FIELDS[field].stored.write(value);

/** Returns the ids of the segments that a strategy and its ordered rules use, each id once. */
export const usedSegments = ({ segmentIds, rules }: StrategyContent): number[] => [
  ...new Set([...segmentIds, ...rules.flatMap((rule) => rule.segmentIds)]),
];

/** Returns the keys of the variants that a strategy and its ordered rules serve, each key once. */
export const servedVariants = ({ serve, rules }: StrategyContent): string[] => [
  ...new Set([serve, ...rules.map((rule) => rule.serve)].flatMap(variantsOf)),
];

function variantsOf(serve: Serve | null): readonly string[] {
  if (serve === null) return [];
  return "variant" in serve ? [serve.variant] : serve.slots.map(([, , variant]) => variant);
}
