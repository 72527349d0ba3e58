import { useQuery } from "@tanstack/react-query";
import { peopleQuery } from "../data/users.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { isFieldValue, isRecordedField, showField } from "../strategy/fields.tsx";
import classes from "./Diff.module.css";
import { JsonText } from "./JsonText.tsx";
import { listItemText } from "./names.ts";
import { exactPart } from "./shortened.ts";
import type { ItemNames } from "./item-names.ts";
import { useRecordedWords } from "./RecordedItem.tsx";
import { WithOmitted } from "./WithOmitted.tsx";

interface ValueProps {
  field: string;
  value: unknown;
  names: ItemNames;
}

export function FieldValue({ field, value: recorded, names }: ValueProps) {
  const { value, omitted } = exactPart(recorded);
  return (
    <WithOmitted omitted={omitted}>
      {value !== undefined && <ExactValue field={field} value={value} names={names} />}
    </WithOmitted>
  );
}

function ExactValue({ field, value, names }: ValueProps) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  const show = useShowRecorded(names);
  if (field === "enabled") return t(value === true ? "common.on" : "common.off");
  if (field === "secretChanged") return t("history.changed");
  if (field === "updatedAt" && typeof value === "string") return dateTime(value);
  if (field === "userId" && typeof value === "number") return <PersonName id={value} />;
  if (field === "environmentId" && typeof value === "number")
    return names.of("environment", value) ?? value;
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
      return <JsonText recorded={value} />;
  }
}

interface ItemProps {
  field: string;
  item: unknown;
  names: ItemNames;
}

export function FieldItem({ field, item: recorded, names }: ItemProps) {
  const { value: item, omitted } = exactPart(recorded);
  return (
    <WithOmitted omitted={omitted}>
      <ExactItem field={field} item={item} names={names} />
    </WithOmitted>
  );
}

function ExactItem({ field, item, names }: ItemProps) {
  const { t } = useTranslation();
  const show = useShowRecorded(names);
  if (field === "values" && isDescribed(item)) return t("history.valueWithDescription", item);
  if (field === "ownerIds" && typeof item === "number") return <PersonName id={item} />;
  return show(field, [item]) ?? listItemText(item);
}

function PersonName({ id }: { id: number }) {
  const { data: people = [] } = useQuery(peopleQuery);
  return people.find((person) => person.id === id)?.name ?? `#${id}`;
}

/** Renders a strategy field of an audit record; undefined for other fields and wrong types. */
function useShowRecorded(names: ItemNames) {
  const words = useRecordedWords(names);
  return (field: string, value: unknown) =>
    isRecordedField(field) && isFieldValue(field, value)
      ? showField(field, value, words)
      : undefined;
}

const isDescribed = (item: unknown): item is { value: string; description: string } =>
  typeof item === "object" &&
  item !== null &&
  "value" in item &&
  "description" in item &&
  typeof item.description === "string" &&
  item.description !== "";
