import { Divider, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AuditRecord, Flag } from "../../shared/api/types.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { RecordItem, RecordList } from "../../shared/history/RecordItem.tsx";
import { useItemNames } from "../../shared/history/use-item-names.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";

const SHOWN = 10;

/** The 10 latest audit records of a flag and of its strategies, with a link to all of them. */
export function FlagHistory({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const { id, projectId } = flag;
  const records = useQuery(
    auditQuery(["flag", id], () => ({ projectId, entityType: "flag", entityId: id, size: SHOWN })),
  );
  return (
    <Paper withBorder radius="md">
      <QueryView query={records}>{({ items }) => <Records items={items} />}</QueryView>
      <Divider />
      <LinkAnchor
        size="sm"
        display="inline-block"
        px="md"
        py="sm"
        to="/projects/$projectId/audit"
        params={{ projectId }}
        search={{ type: "flag", id }}
      >
        {t("history.flagAll")}
      </LinkAnchor>
    </Paper>
  );
}

function Records({ items }: { items: readonly AuditRecord[] }) {
  const { t } = useTranslation();
  const names = useItemNames(items);
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
