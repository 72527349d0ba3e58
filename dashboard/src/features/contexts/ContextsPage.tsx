import { Table, Text } from "@mantine/core";
import { IconForms } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sortedByName } from "../../shared/compare-names.ts";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { typeText } from "../../shared/constraints/type-text.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { RowLink } from "../../shared/ui/links.tsx";
import { ContextForm } from "./ContextForm.tsx";
import classes from "./ContextPage.module.css";
import { countedContextsQuery } from "./queries.ts";
import { typeFilter } from "./type-filter.ts";

export function ContextsPage() {
  const { t } = useTranslation();
  const contexts = useQuery(countedContextsQuery(useProjectId()));
  const mayWrite = useCan("context:write");
  return (
    <ListPage
      title={t("shell.contexts")}
      description={t("contexts.about")}
      query={contexts}
      create={
        mayWrite && {
          label: t("contexts.new"),
          renderForm: (onClose) => <ContextForm onClose={onClose} />,
        }
      }
      empty={{ Icon: IconForms, title: t("contexts.none"), text: t("contexts.noneText") }}
    >
      {(data) => (
        <SearchableList
          items={sortedByName(data)}
          text={({ name, contextKey }) => `${name}\n${contextKey}`}
          searchLabel={t("contexts.search")}
          filters={[typeFilter(t)]}
        >
          {(found) => <ContextTable contexts={found} />}
        </SearchableList>
      )}
    </ListPage>
  );
}

function ContextTable({ contexts }: { contexts: readonly ContextDefinition[] }) {
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
