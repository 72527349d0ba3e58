import { Table, Text } from "@mantine/core";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { typeText } from "../../shared/constraints/type-text.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { RowLink } from "../../shared/ui/links.tsx";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
import classes from "./ContextPage.module.css";

export function ContextTable({ contexts }: { contexts: readonly ContextDefinition[] }) {
  const { t } = useTranslation();
  return (
    <ScrollableTable label={t("shell.contexts")}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("common.name")}</Table.Th>
            <Table.Th scope="col">{t("contexts.type")}</Table.Th>
            <Table.Th scope="col">{t("contexts.knownValues")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </Table>
    </ScrollableTable>
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
