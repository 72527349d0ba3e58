import { Text } from "@mantine/core";
import type { AuditRecord } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { changesOf } from "./changes.ts";
import { FieldChanges } from "./FieldChanges.tsx";
import type { ItemNames } from "./item-names.ts";

interface Props {
  record: Pick<AuditRecord, "before" | "after">;
  names: ItemNames;
}

/** The changed fields of an audit record. */
export function Diff({ record, names }: Props) {
  const { t } = useTranslation();
  const changes = changesOf(record);
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("history.noContent")}
      </Text>
    );
  return <FieldChanges changes={changes} names={names} />;
}
