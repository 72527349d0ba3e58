import { IconTag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Tag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { countedTagsQuery } from "./queries.ts";
import { TagForm } from "./TagForm.tsx";
import { TagTable } from "./TagTable.tsx";

export function TagsPage() {
  const { t } = useTranslation();
  const tags = useQuery(countedTagsQuery(useProjectId()));
  const mayWrite = useCan("tag:write");
  const { subject: edited, isOpen, open, close } = useDialog<Tag | undefined>();
  const create = mayWrite && (
    <CreateButton onClick={() => open(undefined)}>{t("tags.new")}</CreateButton>
  );
  return (
    <>
      <ListPage
        title={t("shell.tags")}
        description={t("tags.about")}
        query={tags}
        actions={create}
        empty={
          <EmptyState Icon={IconTag} title={t("tags.none")} action={create}>
            {t("tags.noneText")}
          </EmptyState>
        }
      >
        {(data) => (
          <SearchableList
            items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
            text={({ name }) => name}
            searchLabel={t("tags.search")}
          >
            {(found) => <TagTable tags={found} onEdit={open} />}
          </SearchableList>
        )}
      </ListPage>
      <TagForm opened={isOpen} onClose={close} tag={edited} />
    </>
  );
}
