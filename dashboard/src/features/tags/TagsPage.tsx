import { ColorSwatch, Table } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { read, readAll, useWrite } from "../../shared/api/request.ts";
import { sortedByName } from "../../shared/compare-names.ts";
import type { Tag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FlagCountLink } from "../../shared/flags/FlagCountLink.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { usesFilter } from "../../shared/list/uses-filter.ts";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import classes from "./TagsPage.module.css";
import { TagForm } from "./TagForm.tsx";

export function TagsPage() {
  const { t } = useTranslation();
  const tags = useQuery(countedTagsQuery(useProjectId()));
  const mayWrite = useCan("tag:write");
  return (
    <ListPage
      title={t("shell.tags")}
      description={t("tags.about")}
      query={tags}
      create={
        mayWrite && { label: t("tags.new"), renderForm: (onClose) => <TagForm onClose={onClose} /> }
      }
      empty={{ Icon: IconTag, title: t("tags.none"), text: t("tags.noneText") }}
    >
      {(data) => (
        <SearchableList
          items={sortedByName(data)}
          text={({ name }) => name}
          searchLabel={t("tags.search")}
          filters={[usesFilter(t)]}
        >
          {(found) => <TagTable tags={found} />}
        </SearchableList>
      )}
    </ListPage>
  );
}

function TagTable({ tags }: { tags: readonly Tag[] }) {
  const { t } = useTranslation();
  const mayWrite = useCan("tag:write");
  const remove = useDeleteTag();
  const { subject: edited, isOpen, open, close } = useDialog<Tag>();
  return (
    <>
      <DataTable
        label={t("shell.tags")}
        verticalSpacing="xs"
        head={
          <>
            <Column>{t("common.name")}</Column>
            <Column>{t("shell.flags")}</Column>
            {mayWrite && <ActionsHeader w="6rem" />}
          </>
        }
      >
        {tags.map((tag) => (
          <Table.Tr key={tag.id}>
            <Table.Th scope="row" fw={500}>
              <span className={classes.tag}>
                <ColorSwatch
                  color={tag.color}
                  size={14}
                  withShadow={false}
                  className={classes.swatch ?? ""}
                  aria-hidden
                />
                {tag.name}
              </span>
            </Table.Th>
            <Table.Td className={classes.count ?? ""}>
              <FlagCountLink
                projectId={tag.projectId}
                count={tag.flagCount}
                search={{ tag: tag.name }}
              />
            </Table.Td>
            {mayWrite && (
              <Table.Td>
                <RowActions
                  edit={{ label: t("tags.editOne", tag), onClick: () => open(tag) }}
                  remove={{ label: t("tags.deleteOne", tag), onClick: () => void remove(tag) }}
                />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </DataTable>
      <FormModal title={t("tags.edit")} opened={isOpen} onClose={close}>
        <TagForm onClose={close} tag={edited} />
      </FormModal>
    </>
  );
}

/** Asks before the deletion, and says how many flags have the tag. */
function useDeleteTag(): (tag: Tag) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const client = useQueryClient();
  const { mutateAsync } = useWrite("delete", "/api/v1/tags/{id}");
  return async (tag) => {
    try {
      const query = { projectId: tag.projectId, tag: [tag.name], size: 1 };
      // Archived flags do not count.
      const { totalItems: count } = await client.fetchQuery(read("/api/v1/flags", { query }));
      const isConfirmed = await confirm({
        title: t("tags.deleteAsk", tag),
        children: count === 0 ? t("tags.deleteUnused") : t("tags.deleteText", { count }),
        confirm: t("tags.delete"),
        isDangerous: true,
      });
      if (!isConfirmed) return;
      await mutateAsync({ path: { id: tag.id } });
      done(t("tags.deleted", tag));
    } catch (error) {
      failed(error);
    }
  };
}

/** The tags of a project, each with the number of its flags. */
const countedTagsQuery = (projectId: number) =>
  readAll("/api/v1/tags", { query: { projectId, counts: true } });
