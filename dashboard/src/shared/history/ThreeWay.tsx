import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./ThreeWay.module.css";
import { FieldItem, FieldValue } from "./FieldValue.tsx";
import type { Content, ItemField } from "./field-change.ts";
import { isRecordedField } from "../strategy/fields.tsx";
import type { ItemNames } from "./item-names.ts";
import { fieldName, itemName } from "./names.ts";
import { RecordedItem } from "./RecordedItem.tsx";
import { type Column, COLUMNS, type PlacedRule, type ThreeWayRow } from "./three-way.ts";

interface Props {
  rows: readonly ThreeWayRow[];
  names: ItemNames;
  /** What follows the values of a row. By default, nothing. */
  children?: (row: ThreeWayRow) => ReactNode;
}

/**
 * Fields with their values when a change request was proposed, now, and after the request. Narrow screens show the
 * values below each other.
 */
export function ThreeWay({ rows, names, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.rows}>
      {rows.map((row) => (
        <div key={row.key} role="group" aria-label={labelOf(row)}>
          <Text size="sm" fw={600} className={classes.name}>
            {labelOf(row)}
          </Text>
          <dl className={classes.columns}>
            {COLUMNS.map((column) => (
              <div key={column} className={classes.column} data-changed={isChanged(row, column)}>
                <dt>{t(`changeRequests.columns.${column}`)}</dt>
                <dd>
                  <Value row={row} value={row[column]} names={names} />
                </dd>
              </div>
            ))}
          </dl>
          {children?.(row)}
        </div>
      ))}
    </div>
  );

  function labelOf({ key, field, base, current, after }: ThreeWayRow): string {
    if (key === field) return fieldName(t, field);
    const placed = (after ?? current ?? base) as PlacedRule;
    return itemName(t, "rules", changeOf(placed.rule, placed.place));
  }
}

/** The column whose value has left the base. */
const isChanged = (row: ThreeWayRow, column: Column): Column | undefined =>
  column !== "base" && JSON.stringify(row[column]) !== JSON.stringify(row.base)
    ? column
    : undefined;

interface ValueProps {
  row: ThreeWayRow;
  value: unknown;
  names: ItemNames;
}

const ITEM_FIELDS: readonly string[] = ["rules", "variants", "prerequisites"] satisfies ItemField[];
const isItemField = (field: string): field is ItemField => ITEM_FIELDS.includes(field);

function Value({ row, value, names }: ValueProps): ReactNode {
  const { t } = useTranslation();
  const { key, field } = row;
  const isNothing = value === undefined || value === "" || isEmptyList(value);
  // Null is the default of some fields of a strategy.
  if (isNothing || (value === null && !isRecordedField(field)))
    return (
      <Text span inherit c="dimmed">
        {t("common.none")}
      </Text>
    );
  if (key !== field) {
    const { rule, place } = value as PlacedRule;
    return (
      <RecordedItem
        field="rules"
        change={changeOf(rule, place)}
        content={rule}
        names={names}
        hidesName={isOneName(row)}
      />
    );
  }
  if (!Array.isArray(value)) return <FieldValue field={field} value={value} names={names} />;
  const list = value as readonly unknown[];
  if (isItemField(field)) {
    const items = list.map((rule, index) => ({ rule: rule as Content, place: index + 1 }));
    return <Items field={field} items={items} names={names} />;
  }
  return (
    <ul className={classes.list}>
      {list.map((item) => (
        <li key={JSON.stringify(item)}>
          <FieldItem field={field} item={item} names={names} />
        </li>
      ))}
    </ul>
  );
}

interface ItemsProps {
  field: ItemField;
  items: readonly PlacedRule[];
  names: ItemNames;
}

function Items({ field, items, names }: ItemsProps) {
  return items.map(({ rule, place }) => (
    <Fragment key={place}>
      <RecordedItem
        field={field}
        change={changeOf(rule, place)}
        content={rule}
        names={names}
      />{" "}
    </Fragment>
  ));
}

/** Whether a rule has the same name everywhere, so that the name of the row suffices. */
const isOneName = (row: ThreeWayRow): boolean =>
  new Set(
    COLUMNS.flatMap((column) => {
      const placed = row[column] as PlacedRule | undefined;
      return placed ? [placed.rule["name"]] : [];
    }),
  ).size === 1;

/** Returns an item as one that a change has added, which names it. */
function changeOf(item: Content, place: number) {
  return {
    // Rules and prerequisites are named by their content.
    key: typeof item["key"] === "string" ? item["key"] : "",
    before: undefined,
    after: item,
    placeBefore: undefined,
    placeAfter: place,
    isMoved: false,
    changes: [],
  };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
