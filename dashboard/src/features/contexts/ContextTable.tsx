import { Table, Text } from "@mantine/core";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { typeText } from "../../shared/constraints/type-text.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { RowLink } from "../../shared/ui/links.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import classes from "./ContextPage.module.css";

export function ContextTable({ contexts }: { contexts: readonly ContextDefinition[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t("shell.contexts")}
      head={
        <>
          <Column>{t("common.name")}</Column>
          <Column>{t("contexts.type")}</Column>
          <Column>{t("contexts.knownValues")}</Column>
        </>
      }
    >
      {contexts.map(({ id, projectId, name, contextKey, contextType, valueCount }) => (
        <Table.Tr key={id}>
          <Table.Th scope="row">
            <RowLink
              to="/projects/$projectId/contexts/$contextId"
              params={{ projectId, contextId: id }}
            >
              {name}
            </RowLink>
            <Text size="xs" c="dimmed" ff="monospace" mt={2} className={classes.key ?? ""}>
              {contextKey}
            </Text>
          </Table.Th>
          <Table.Td>{typeText(t, contextType)}</Table.Td>
          <Table.Td>
            <ValueCount count={valueCount} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function ValueCount({ count }: { count: number | undefined }) {
  const { t } = useTranslation();
  if (count === undefined) return null;
  if (count > 0) return t("contexts.valueCount", { count });
  return (
    <Text span size="sm" c="dimmed">
      {t("contexts.noneKnown")}
    </Text>
  );
}
