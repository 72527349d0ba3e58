import type { ReactNode } from "react";
import { Text } from "@mantine/core";
import type { AuditRecord } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { onlyVariant, type ServedWeights, weightChanges } from "./served-weights.ts";
import classes from "./Diff.module.css";
import { recordChanges } from "./changes.ts";
import type { FieldChange, ItemChange, ItemField } from "./field-change.ts";
import { FieldItem, FieldValue } from "./FieldValue.tsx";
import { JsonChange } from "./JsonText.tsx";
import { fieldName, itemName } from "./names.ts";
import { RecordedItem } from "./RecordedItem.tsx";
import { Side, Sides } from "./Side.tsx";
import type { ItemNames } from "./item-names.ts";

interface Props {
  changes: readonly FieldChange[];
  names: ItemNames;
}

/**
 * The changed fields of an audit record, or of an item in a list. For a single value, shows the
 * value before (−) and after (+) the change. For a list, shows the removed (−), the added (+) and
 * the changed items.
 */
function FieldChanges({ changes, names }: Props) {
  const { t } = useTranslation();
  return (
    <dl className={classes.diff}>
      {changes.map((change) => (
        <div key={change.field} style={{ display: "contents" }}>
          <dt>{fieldName(t, change.field)}</dt>
          <dd data-list={change.kind === "value" ? undefined : true}>
            <Change change={change} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ change, names }: { change: FieldChange; names: ItemNames }): ReactNode {
  const { t } = useTranslation();
  const { field } = change;
  switch (change.kind) {
    case "list":
      return (
        <>
          {change.removed.map((item) => (
            <Side key={JSON.stringify(item)} sign="−" hint={t("history.removed")}>
              <FieldItem field={field} item={item} names={names} />
            </Side>
          ))}
          {change.added.map((item) => (
            <Side key={JSON.stringify(item)} sign="+" hint={t("history.added")}>
              <FieldItem field={field} item={item} names={names} />
            </Side>
          ))}
        </>
      );
    case "items":
      return change.items.map((item) => (
        <ItemChanges key={item.key} field={change.field} item={item} names={names} />
      ));
    case "serve":
      return <WeightChanges before={change.before} after={change.after} />;
    case "json":
      return <JsonChange before={change.before} after={change.after} />;
    default:
      return (
        <Sides before={change.before} after={change.after}>
          {(value) => <FieldValue field={field} value={value} names={names} />}
        </Sides>
      );
  }
}

interface ItemProps {
  field: ItemField;
  item: ItemChange;
  names: ItemNames;
}

/** An added or removed item, or an item with its new place and its changed fields. */
function ItemChanges({ field, item, names }: ItemProps) {
  const { t } = useTranslation();
  const { before, after, placeBefore, placeAfter, isMoved, changes } = item;
  const isPrerequisite = field === "prerequisites";
  if (placeBefore === undefined || placeAfter === undefined || isPrerequisite)
    return (
      <>
        {before && (
          <Side sign="−" hint={t("history.removed")}>
            <RecordedItem field={field} change={item} content={before} names={names} />
          </Side>
        )}
        {after && (
          <Side sign="+" hint={t("history.added")}>
            <RecordedItem field={field} change={item} content={after} names={names} />
          </Side>
        )}
      </>
    );
  return (
    <div className={classes.item}>
      <div>
        <Text span inherit fw={600}>
          {itemName(t, field, item)}
        </Text>
        {isMoved && (
          <Text span inherit c="dimmed">
            {" "}
            {t("history.moved", { before: placeBefore, after: placeAfter })}
          </Text>
        )}
      </div>
      {changes.length > 0 && <FieldChanges changes={changes} names={names} />}
    </div>
  );
}

interface DiffProps {
  record: Pick<AuditRecord, "before" | "after">;
  names: ItemNames;
}

export function Diff({ record, names }: DiffProps) {
  const { t } = useTranslation();
  const changes = recordChanges(record);
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("history.noContent")}
      </Text>
    );
  return <FieldChanges changes={changes} names={names} />;
}

const NO_WEIGHTS: ServedWeights = new Map();

interface WeightChangesProps {
  before: ServedWeights | undefined;
  after: ServedWeights | undefined;
}

/** Two variants, or the changed weights of a split, for example `blue 34% → 50%`. */
function WeightChanges({ before = NO_WEIGHTS, after = NO_WEIGHTS }: WeightChangesProps) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const [old, current] = [onlyVariant(before), onlyVariant(after)];
  const isOneVariant = [before, after].every((weights) => weights.size <= 1);
  if (isOneVariant)
    return (
      <Sides before={old} after={current}>
        {(variant) => variant}
      </Sides>
    );
  return (
    <ul className={classes.weights}>
      {weightChanges(before, after).map(({ variant, ...weight }) => (
        <li key={variant}>
          {t("history.weight", {
            variant,
            before: exactPercent(weight.before / 100),
            after: exactPercent(weight.after / 100),
          })}
        </li>
      ))}
    </ul>
  );
}
