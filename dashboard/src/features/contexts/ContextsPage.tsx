import { useDisclosure } from "@mantine/hooks";
import { IconForms } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { ContextForm } from "./ContextForm.tsx";
import { ContextTable } from "./ContextTable.tsx";
import { countedContextsQuery } from "./queries.ts";

export function ContextsPage() {
  const { t } = useTranslation();
  const contexts = useQuery(countedContextsQuery(useProjectId()));
  const mayWrite = useCan("context:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && <CreateButton onClick={open}>{t("contexts.new")}</CreateButton>;
  return (
    <>
      <ListPage
        title={t("shell.contexts")}
        description={t("contexts.about")}
        query={contexts}
        actions={create}
        empty={
          <EmptyState Icon={IconForms} title={t("contexts.none")} action={create}>
            {t("contexts.noneText")}
          </EmptyState>
        }
      >
        {(data) => (
          <SearchableList
            items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
            text={({ name, contextKey }) => `${name}\n${contextKey}`}
            searchLabel={t("contexts.search")}
          >
            {(found) => <ContextTable contexts={found} />}
          </SearchableList>
        )}
      </ListPage>
      <ContextForm opened={isCreating} onClose={close} />
    </>
  );
}
