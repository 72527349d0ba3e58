import { Divider, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AuditRecord } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { LinkAnchor } from "../ui/links.tsx";
import { QueryView } from "../ui/QueryView.tsx";
import { auditQuery } from "./audit-query.ts";
import { RecordItem, RecordList } from "./RecordItem.tsx";
import { type ItemNames, itemNames } from "./item-names.ts";

const SHOWN = 10;

interface Props {
  type: "flag" | "segment";
  item: { id: number; projectId: number };
}

/** The 10 latest audit records of a flag with its strategies, or of a segment. */
export function ItemHistory({ type, item: { id, projectId } }: Props) {
  const { t } = useTranslation();
  const records = useQuery(
    auditQuery([type, id], () => ({
      projectId,
      entityType: type,
      entityId: id,
      size: SHOWN,
      related: true,
    })),
  );
  return (
    <Paper withBorder radius="md">
      <QueryView query={records}>
        {({ items, related }) => <Records items={items} names={itemNames(related)} />}
      </QueryView>
      <Divider />
      <LinkAnchor
        size="sm"
        display="inline-block"
        px="md"
        py="sm"
        to="/projects/$projectId/audit"
        params={{ projectId }}
        search={{ type, id }}
      >
        {t("history.flagAll")}
      </LinkAnchor>
    </Paper>
  );
}

function Records({ items, names }: { items: readonly AuditRecord[]; names: ItemNames }) {
  const { t } = useTranslation();
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        {t("history.flagEmpty")}
      </Text>
    );
  return (
    <RecordList>
      {items.map((record) => (
        <RecordItem key={record.id} record={record} names={names} />
      ))}
    </RecordList>
  );
}
