import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

interface Props {
  onClick: () => void;
  children: string;
}

/** The button of a page with a list that creates an item. The key N presses it. */
export function CreateButton({ onClick, children }: Props) {
  return (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
