import { ActionIcon, Group } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";

interface Action {
  /** Names what it does, and to which row. */
  label: string;
  onClick: () => void;
  loading?: boolean;
}

/** What can be done to one row of a table. */
export function RowActions({ edit, remove }: Record<"edit" | "remove", Action>) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
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
