import { Button } from "@mantine/core";
import { IconPlus, IconTag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Tag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
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
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={() => open(undefined)}
    >
      {t("tags.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("shell.tags")}
        description={t("tags.about")}
        actions={tags.data?.length !== 0 && create}
      />
      <QueryView query={tags}>
        {(data) =>
          data.length > 0 ? (
            <SearchableList
              items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
              text={({ name }) => name}
              searchLabel={t("tags.search")}
            >
              {(found) => <TagTable tags={found} onEdit={open} />}
            </SearchableList>
          ) : (
            <EmptyState Icon={IconTag} title={t("tags.none")} action={create}>
              {t("tags.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <TagForm opened={isOpen} onClose={close} tag={edited} />
    </>
  );
}
