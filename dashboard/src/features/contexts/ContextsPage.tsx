import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconForms, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ContextForm } from "./ContextForm.tsx";
import { ContextTable } from "./ContextTable.tsx";
import { countedContextsQuery } from "./queries.ts";

export function ContextsPage() {
  const { t } = useTranslation();
  const contexts = useQuery(countedContextsQuery(useProjectId()));
  const mayWrite = useCan("context:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={open}
    >
      {t("contexts.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("shell.contexts")}
        description={t("contexts.about")}
        actions={contexts.data?.length !== 0 && create}
      />
      <QueryView query={contexts}>
        {(data) =>
          data.length > 0 ? (
            <SearchableList
              items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
              text={({ name, contextKey }) => `${name}\n${contextKey}`}
              searchLabel={t("contexts.search")}
            >
              {(found) => <ContextTable contexts={found} />}
            </SearchableList>
          ) : (
            <EmptyState Icon={IconForms} title={t("contexts.none")} action={create}>
              {t("contexts.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <ContextForm opened={isCreating} onClose={close} />
    </>
  );
}
