import { ActionIcon, Group, type TableThProps, VisuallyHidden } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { Column } from "./DataTable.tsx";

interface Action {
  /** The accessible name of the button. It contains the action and the name of the row's item. */
  label: string;
  onClick: () => void;
  loading?: boolean;
}

interface Props extends Record<"edit" | "remove", Action> {
  /** Further buttons, before the others. */
  children?: ReactNode;
}

/** The edit button and the delete button of a table row. */
export function RowActions({ edit, remove, children }: Props) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {children}
      <ActionIcon aria-label={edit.label} onClick={edit.onClick}>
        <IconPencil size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={remove.label}
        loading={remove.loading ?? false}
        onClick={remove.onClick}
      >
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** The table header of the column with `RowActions`. */
export function ActionsHeader({ w }: Pick<TableThProps, "w">) {
  const { t } = useTranslation();
  return (
    <Column w={w}>
      <VisuallyHidden>{t("common.actions")}</VisuallyHidden>
    </Column>
  );
}
