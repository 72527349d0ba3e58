import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Constraint, Strategy } from "../api/types.ts";
import { ConstraintList } from "../constraints/ConstraintList.tsx";
import { isSameConstraints } from "../constraints/is-same-constraints.ts";
import { StateBadge } from "./StateBadge.tsx";

/** The properties of a strategy that decide for which users the flag is on. */
export type StrategySettings = Omit<
  Strategy,
  "flagId" | "environmentId" | "environmentName" | "version" | "updatedAt"
>;

export type StrategyField = keyof StrategySettings;

/** The functions that a strategy field needs to display its value in the language of the page. */
export interface FieldDisplay {
  readonly t: TFunction;
  /** Formats a share from 0 to 1 as a percentage. */
  readonly percent: (share: number) => string;
  readonly segmentName: (id: number) => string;
}

interface FieldDefinition<T> {
  /**
   * Whether a value from an audit record has the type of this field. Of a constraint, only the
   * parts that the dashboard needs are checked.
   */
  readonly isValue: (value: unknown) => value is T;
  /** Whether both values of the field count as equal. */
  readonly isSame: (a: T, b: T) => boolean;
  readonly show: (value: T, display: FieldDisplay) => ReactNode;
}

/**
 * How the dashboard compares and displays each strategy field, in the order in which tables list
 * the fields. The translations `strategy.<field>` contain the labels, and
 * `features/flag/StrategyFields.tsx` the inputs.
 */
const FIELDS: { readonly [F in StrategyField]: FieldDefinition<StrategySettings[F]> } = {
  enabled: {
    isValue: isBoolean,
    isSame: Object.is,
    show: (isOn) => <StateBadge isOn={isOn} />,
  },
  percentage: {
    isValue: isNumber,
    isSame: Object.is,
    show: (percentage, { percent }) => percent(percentage / 100),
  },
  stickiness: {
    isValue: isTextOrNull,
    isSame: Object.is,
    show: (field, { t }) => field ?? t("flag.stickinessDefault"),
  },
  constraints: {
    isValue: isConstraints,
    isSame: isSameConstraints,
    show: (constraints, { t }) => (
      <ConstraintList constraints={constraints} empty={t("common.none")} />
    ),
  },
  segmentIds: {
    isValue: isNumbers,
    // The order of segments has no effect on an evaluation, because all segments must match.
    isSame: (a, b) => sorted(a) === sorted(b),
    show: (ids, { t, segmentName }) =>
      ids.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("common.none")}
        </Text>
      ) : (
        ids.map(segmentName).join(", ")
      ),
  },
};

export const STRATEGY_FIELDS = Object.keys(FIELDS) as readonly StrategyField[];

export const isStrategyField = (field: string): field is StrategyField =>
  Object.hasOwn(FIELDS, field);

/** Whether the field has equal values in both strategies. */
export const isSameField = <F extends StrategyField>(
  field: F,
  a: Pick<StrategySettings, F>,
  b: Pick<StrategySettings, F>,
): boolean => FIELDS[field].isSame(a[field], b[field]);

export const showField = <F extends StrategyField>(
  field: F,
  value: StrategySettings[F],
  display: FieldDisplay,
): ReactNode => FIELDS[field].show(value, display);

/** Whether a value from an audit record has the type of the strategy field `field`. */
export const isFieldValue = <F extends StrategyField>(
  field: F,
  value: unknown,
): value is StrategySettings[F] => FIELDS[field].isValue(value);

const sorted = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join(" ");

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isConstraints(value: unknown): value is Constraint[] {
  return Array.isArray(value) && value.every(isConstraint);
}

function isConstraint(item: unknown): item is Constraint {
  return (
    typeof item === "object" &&
    item !== null &&
    "field" in item &&
    "operator" in item &&
    "values" in item &&
    Array.isArray(item.values)
  );
}
