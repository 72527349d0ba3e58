import { useTranslation } from "react-i18next";
import type { Constraint } from "../api/types.ts";
import { ConstraintList } from "../constraints/ConstraintList.tsx";
import { useFormat } from "../i18n/use-format.ts";
import classes from "./Diff.module.css";
import type { Names } from "./use-names.ts";
import { nameOfItem } from "./use-words.ts";

interface ValueProps {
  field: string;
  value: unknown;
  names: Names;
}

/** One side of a field, as the rest of the dashboard shows it. */
export function FieldValue({ field, value, names }: ValueProps) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  if (field === "enabled") return t(value === true ? "common.on" : "common.off");
  if (field === "secretChanged") return t("history.changed");
  if (field === "percentage" && typeof value === "number") return percent(value / 100);
  if (field === "environmentId" && typeof value === "number")
    return names.environment(value) ?? value;
  if (field === "color" && typeof value === "string")
    return (
      <>
        <span className={classes.colour} style={{ backgroundColor: value }} />
        {value}
      </>
    );
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
  names: Names;
}

export function FieldItem({ field, item, names }: ItemProps) {
  const { t } = useTranslation();
  if (field === "segmentIds" && typeof item === "number")
    return (
      names.segment(item) ??
      t("history.thingWithId", { thing: t("history.things.segment"), id: item })
    );
  if (field === "constraints" && isConstraint(item)) return <ConstraintList constraints={[item]} />;
  if (field === "values" && isDescribed(item)) return t("history.valueWithDescription", item);
  return nameOfItem(item);
}

const isConstraint = (item: unknown): item is Constraint =>
  typeof item === "object" &&
  item !== null &&
  "field" in item &&
  "operator" in item &&
  "values" in item &&
  Array.isArray(item.values);

const isDescribed = (item: unknown): item is { value: string; description: string } =>
  typeof item === "object" &&
  item !== null &&
  "value" in item &&
  "description" in item &&
  typeof item.description === "string" &&
  item.description !== "";
