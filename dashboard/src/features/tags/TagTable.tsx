import { ColorSwatch, Table } from "@mantine/core";
import type { Tag } from "../../shared/api/types.ts";
import { FlagCountLink } from "../../shared/flags/FlagCountLink.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import classes from "./TagTable.module.css";
import { useDeleteTag } from "./use-delete-tag.ts";

interface Props {
  tags: readonly Tag[];
  onEdit: (tag: Tag) => void;
}

export function TagTable({ tags, onEdit }: Props) {
  const { t } = useTranslation();
  const mayWrite = useCan("tag:write");
  const remove = useDeleteTag();
  return (
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
                edit={{ label: t("tags.editOne", tag), onClick: () => onEdit(tag) }}
                remove={{ label: t("tags.deleteOne", tag), onClick: () => void remove(tag) }}
              />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}
