import { Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../api/types.ts";
import { changesOf, type FieldChange } from "./changes.ts";
import classes from "./Diff.module.css";
import { FieldItem, FieldValue } from "./FieldValue.tsx";
import type { ItemNames } from "./use-item-names.ts";
import { useRecordText } from "./use-record-text.ts";

interface Props {
  record: Pick<AuditRecord, "before" | "after">;
  names: ItemNames;
}

/**
 * The changed fields of an audit record. A field shows its values before (−) and after (+) the
 * change, a list shows its removed (−) and added (+) items. The signs repeat the colours.
 */
export function Diff({ record, names }: Props) {
  const { t } = useTranslation();
  const recordText = useRecordText(names);
  const changes = changesOf(record);
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("history.noContent")}
      </Text>
    );
  return (
    <dl className={classes.diff}>
      {changes.map((change) => (
        <div key={change.field} style={{ display: "contents" }}>
          <dt>{recordText.field(change.field)}</dt>
          <dd data-list={change.kind === "value" ? undefined : true}>
            <Sides change={change} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Sides({ change, names }: { change: FieldChange; names: ItemNames }) {
  const { t } = useTranslation();
  const { field } = change;
  if (change.kind === "list")
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
  const { before, after } = change;
  return (
    <>
      {before !== undefined && (
        <Side sign="−" hint={t("history.before")}>
          <FieldValue field={field} value={before} names={names} />
        </Side>
      )}
      {after !== undefined && (
        <Side sign="+" hint={t("history.after")}>
          <FieldValue field={field} value={after} names={names} />
        </Side>
      )}
    </>
  );
}

interface SideProps {
  sign: "−" | "+";
  /** The meaning of the sign, for screen readers. */
  hint: string;
  children: ReactNode;
}

function Side({ sign, hint, children }: SideProps) {
  const Element = sign === "−" ? "del" : "ins";
  return (
    <Element className={`${classes.side} ${sign === "−" ? classes.removed : classes.added}`}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <VisuallyHidden>{hint} </VisuallyHidden>
      <div>{children}</div>
    </Element>
  );
}
