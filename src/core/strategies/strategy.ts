import type { Constraint, Serve } from "@feature-flags/evaluation/rule";
import {
  exactNumber,
  jsonObjectOrNull,
  type Stored,
  storedList,
  storedListOrNull,
  textOrNull,
  trueOrFalse,
  wholeNumber,
} from "./stored-values.ts";

/** What a strategy and each of its ordered rules have: whom they apply to, and what they serve. */
export interface ActivationContent {
  /** The percentage of the roll-out, 0 to 100, with up to three decimals. */
  readonly percentage: number;
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

/** An ordered rule of a strategy. */
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
/** The fields whose values are texts or null. */
export type TextField = {
  [F in StrategyField]: StrategyContent[F] extends string | null ? F : never;
}[StrategyField];

interface FieldDefinition<T> {
  /**
   * The field's value in a strategy that nobody has set, and in database rows and ordered rules that
   * were written before the field existed.
   */
  readonly default: T;
  readonly stored: Stored<T>;
}

/**
 * The definition of every field of a strategy, in the order of the audit trail and of the API
 * response. A new field comes last, before `rules`. These definitions determine the defaults, the row
 * parser, the columns (`src/db/strategy-columns.ts`), what a change merges, and the parser of audit
 * records.
 */
const FIELDS: { readonly [F in StrategyField]: FieldDefinition<StrategyContent[F]> } = {
  enabled: { default: false, stored: trueOrFalse },
  percentage: { default: 100, stored: wholeNumber(100) },
  constraints: { default: [], stored: storedList() },
  segmentIds: { default: [], stored: storedList() },
  stickiness: { default: null, stored: textOrNull },
  hashKey: { default: null, stored: textOrNull },
  serve: { default: null, stored: jsonObjectOrNull() },
  splitKey: { default: null, stored: textOrNull },
  splitStickiness: { default: null, stored: textOrNull },
  rules: { default: [], stored: storedListOrNull(readRule, recordedRule) },
};

export const STRATEGY_FIELDS = Object.keys(FIELDS) as readonly StrategyField[];

export const TEXT_FIELDS = STRATEGY_FIELDS.filter(
  (field): field is TextField => FIELDS[field].stored === textOrNull,
);

/** The fields of `ActivationContent`. */
export const ACTIVATION_FIELDS = STRATEGY_FIELDS.filter(
  (field) => field !== "enabled" && field !== "serve" && field !== "rules",
);

/**
 * The strategy that applies until somebody sets one: off, with a roll-out of 100 % and without
 * conditions.
 */
export const DEFAULT_STRATEGY = Object.fromEntries(
  STRATEGY_FIELDS.map((field) => [field, FIELDS[field].default]),
) as unknown as StrategyContent;

const { enabled: _enabled, rules: _rules, ...ACTIVATION } = DEFAULT_STRATEGY;

/** The default fields of an ordered rule, in the order of the API response. */
export const NEW_RULE = { id: "", name: null, ...ACTIVATION };

/** Rules that are older than this field do not have it. */
const NEWEST_FIELD: keyof ActivationContent = ACTIVATION_FIELDS.at(-1) ?? "splitStickiness";

/**
 * Returns a percentage as columns, stored rules and audit records have it: without its decimals, for
 * releases that know only whole per cents, and with its decimals, or null if it has none.
 */
export function recordedPercentage(exact: number) {
  const percentage = Math.floor(exact);
  return { percentage, exactPercentage: exact === percentage ? null : exact };
}

/** An ordered rule, as the column `rules` has it. */
type RecordedRule = StoredRule & { readonly exactPercentage: number | null };

function recordedRule({ id, name, percentage, ...rest }: StoredRule): RecordedRule {
  return { id, name, ...recordedPercentage(percentage), ...rest };
}

/** Runs for every rule when a snapshot is built. Keeps the order of the fields. */
function readRule({ exactPercentage, ...rule }: RecordedRule): StoredRule {
  const read =
    typeof exactPercentage === "number" ? { ...rule, percentage: exactPercentage } : rule;
  return read[NEWEST_FIELD] === undefined ? { ...NEW_RULE, ...read } : read;
}

/** The columns of a strategy, in the order of the audit trail: its fields, and the exact percentage. */
export type StrategyColumn = StrategyField | "exactPercentage";
export const STRATEGY_COLUMNS = STRATEGY_FIELDS.flatMap((field): StrategyColumn[] =>
  field === "percentage" ? [field, "exactPercentage"] : [field],
);

/** The columns that contain JSON. */
export const JSON_FIELDS = STRATEGY_FIELDS.filter((field) => FIELDS[field].stored.isJson);

const READERS = STRATEGY_FIELDS.map((field) => ({ field, read: FIELDS[field].stored.read }));

/**
 * Reads a strategy from a database row, which has `STRATEGY_COLUMNS`. NULL stands for the default. So a
 * LEFT JOIN that finds no row gives `DEFAULT_STRATEGY`. Throws: an error for a value of the wrong type
 * or out of range.
 */
export function readStrategy(row: Readonly<Record<StrategyColumn, unknown>>): StrategyContent {
  const content: Record<StrategyField, unknown> = { ...DEFAULT_STRATEGY };
  // Uses a plain loop for speed, because this code runs for every flag when a snapshot is built.
  for (const { field, read } of READERS) {
    const value = row[field];
    if (value !== null) content[field] = read(value, field);
  }
  if (row.exactPercentage !== null)
    content.percentage = exactNumber(row.exactPercentage, "exactPercentage");
  return content as unknown as StrategyContent;
}

/** Returns a strategy as its columns have it. JSON columns are plain JSON values; null stands for NULL. */
export const columnsOf = (content: StrategyContent): Readonly<Record<StrategyColumn, unknown>> => ({
  ...(Object.fromEntries(
    STRATEGY_FIELDS.map((field) => [field, columnOf(field, content[field])]),
  ) as Record<StrategyField, unknown>),
  ...recordedPercentage(content.percentage),
});

const columnOf = <F extends StrategyField>(field: F, value: StrategyContent[F]): unknown =>
  FIELDS[field].stored.write(value);

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
