import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

interface Props {
  onClick: () => void;
  /** Whether another button of the page is the primary one. */
  isQuiet?: boolean;
  children: string;
}

/** The button of a page with a list that creates an item. The key N presses it. */
export function CreateButton({ onClick, isQuiet = false, children }: Props) {
  return (
    <Button
      variant={isQuiet ? "default" : "filled"}
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
