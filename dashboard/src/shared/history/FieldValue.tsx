import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { isFieldValue, isStrategyField, showField } from "../strategy/fields.tsx";
import { useFieldDisplay } from "../strategy/use-field-display.ts";
import classes from "./Diff.module.css";
import type { ItemNames } from "./use-item-names.ts";
import { listItemText } from "./use-record-text.ts";

interface ValueProps {
  field: string;
  value: unknown;
  names: ItemNames;
}

/** The value of one field of an audit record, before or after the change. */
export function FieldValue({ field, value, names }: ValueProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const show = useShowRecorded(names);
  if (field === "enabled") return t(value === true ? "common.on" : "common.off");
  if (field === "secretChanged") return t("history.changed");
  if (field === "environmentId" && typeof value === "number")
    return names.environment(value) ?? value;
  if (field === "color" && typeof value === "string")
    return (
      <>
        <span className={classes.colour} style={{ backgroundColor: value }} />
        {value}
      </>
    );
  const shown = show(field, value);
  if (shown !== undefined) return shown;
  switch (typeof value) {
    case "boolean":
      return t(value ? "common.yes" : "common.no");
    case "number":
      return number(value);
    case "string":
      return value;
    default:
      return <pre className={classes.json}>{JSON.stringify(value, null, 2)}</pre>;
  }
}

interface ItemProps {
  field: string;
  item: unknown;
  names: ItemNames;
}

/** One item of an audit record's field whose value is a list. */
export function FieldItem({ field, item, names }: ItemProps) {
  const { t } = useTranslation();
  const show = useShowRecorded(names);
  if (field === "values" && isDescribed(item)) return t("history.valueWithDescription", item);
  return show(field, [item]) ?? listItemText(item);
}

/**
 * Returns a function that renders a strategy field's value from an audit record. The function
 * returns undefined for any other field, and for a value of the wrong type.
 */
function useShowRecorded(names: ItemNames) {
  const { t } = useTranslation();
  const display = useFieldDisplay(
    (id) =>
      names.segment(id) ?? t("history.thingWithId", { thing: t("history.things.segment"), id }),
  );
  return (field: string, value: unknown) =>
    isStrategyField(field) && isFieldValue(field, value)
      ? showField(field, value, display)
      : undefined;
}

const isDescribed = (item: unknown): item is { value: string; description: string } =>
  typeof item === "object" &&
  item !== null &&
  "value" in item &&
  "description" in item &&
  typeof item.description === "string" &&
  item.description !== "";
