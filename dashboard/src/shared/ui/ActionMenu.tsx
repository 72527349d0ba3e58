import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, type TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

export interface MenuAction {
  readonly label: string;
  readonly Icon?: TablerIcon;
  readonly onClick: () => void;
}

interface Props {
  /** The accessible name of the button that opens the menu. */
  label: string;
  actions: readonly MenuAction[];
  /** A link before the actions, as a `Menu.Item`. */
  children?: ReactNode;
}

/** A button that opens a menu with actions that are rarely used. */
export function ActionMenu({ label, actions, children }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={label}>
          <IconDots {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {actions.map(({ label: name, Icon, onClick }) => (
          <Menu.Item key={name} leftSection={Icon && <Icon {...ICON} />} onClick={onClick}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
