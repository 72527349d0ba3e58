import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ConstraintList } from "../constraints/ConstraintList.tsx";
import { isSameConstraints } from "../constraints/is-same-constraints.ts";
import { RuleSentences } from "./RuleSentences.tsx";
import { isServing, type RuleWords, servedWords } from "./rule-words.ts";
import { forTexts, type StrategySettings, TEXTS } from "./settings.ts";
import { StateBadge } from "./StateBadge.tsx";
import * as values from "./values.ts";

export type StrategyField = keyof StrategySettings;

/** The fields of a strategy in an audit record. Old records have only the whole `percentage`. */
interface RecordedSettings extends StrategySettings {
  percentage: number;
}

interface FieldDefinition<T> {
  /** Whether a value from an audit record has the type of this field. */
  readonly isValue: (value: unknown) => value is T;
  /** Whether both values of the field count as equal. */
  readonly isSame: (a: T, b: T) => boolean;
  /** Whether tables leave out the field if all strategies have such a value: the default. */
  readonly isLeftOut?: (value: T) => boolean;
  readonly show: (value: T, words: RuleWords) => ReactNode;
}

const rollOut: FieldDefinition<number> = {
  isValue: values.isNumber,
  isSame: Object.is,
  show: (percentage, { exactPercent }) => exactPercent(percentage / 100),
};

const { stickiness, hashKey, ...otherTexts } = forTexts(
  (field): FieldDefinition<string | null> => ({
    isValue: values.isTextOrNull,
    isSame: Object.is,
    isLeftOut: (value) => value === null && field !== "stickiness",
    show: (value, { t }) => value ?? t(TEXTS[field]),
  }),
);

/**
 * How the dashboard compares and displays each strategy field, in the order in which tables list
 * the fields. The translations `strategy.<field>` contain the labels, and
 * `features/flag-page/StrategyFields.tsx` the inputs.
 */
const FIELDS: { readonly [F in keyof RecordedSettings]: FieldDefinition<RecordedSettings[F]> } = {
  enabled: {
    isValue: values.isBoolean,
    isSame: Object.is,
    show: (isOn) => <StateBadge isOn={isOn} />,
  },
  rules: {
    isValue: values.isRules,
    isSame: values.isSameRules,
    isLeftOut: (rules) => rules.length === 0,
    show: (rules, words) => <RuleSentences rules={rules} words={words} />,
  },
  percentage: rollOut,
  exactPercentage: rollOut,
  stickiness,
  hashKey,
  constraints: {
    isValue: values.isConstraints,
    isSame: isSameConstraints,
    show: (constraints, { t }) => (
      <ConstraintList constraints={constraints} empty={t("common.none")} />
    ),
  },
  segmentIds: {
    isValue: values.isNumbers,
    isSame: values.isSameSegments,
    show: (ids, { t, segmentName }) =>
      ids.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("common.none")}
        </Text>
      ) : (
        ids.map(segmentName).join(", ")
      ),
  },
  serve: {
    isValue: values.isServe,
    isSame: values.isSameServe,
    isLeftOut: (serve) => isServing(serve, "on"),
    show: (serve, words) => servedWords(words, serve),
  },
  ...otherTexts,
};

export const STRATEGY_FIELDS = Object.keys(FIELDS).filter(
  (field) => field !== "percentage",
) as readonly StrategyField[];

/**
 * Returns the fields that a table of these strategies lists. A field for experts is not among them
 * while all strategies have its default.
 */
export const fieldsOf = (strategies: readonly StrategySettings[]): StrategyField[] =>
  STRATEGY_FIELDS.filter((field) => !strategies.every((strategy) => isLeftOut(field, strategy)));

const isLeftOut = <F extends StrategyField>(
  field: F,
  strategy: Pick<RecordedSettings, F>,
): boolean => FIELDS[field].isLeftOut?.(strategy[field]) ?? false;

export const isRecordedField = (field: string): field is keyof RecordedSettings =>
  Object.hasOwn(FIELDS, field);

export const isSameField = <F extends StrategyField>(
  field: F,
  a: Pick<RecordedSettings, F>,
  b: Pick<RecordedSettings, F>,
): boolean => FIELDS[field].isSame(a[field], b[field]);

export const showField = <F extends keyof RecordedSettings>(
  field: F,
  value: RecordedSettings[F],
  words: RuleWords,
): ReactNode => FIELDS[field].show(value, words);

export const isFieldValue = <F extends keyof RecordedSettings>(
  field: F,
  value: unknown,
): value is RecordedSettings[F] => FIELDS[field].isValue(value);

/** Values with the same effect count as equal. */
export const differingFields = (a: StrategySettings, b: StrategySettings): StrategyField[] =>
  STRATEGY_FIELDS.filter((field) => !isSameField(field, a, b));
