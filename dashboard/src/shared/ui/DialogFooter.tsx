import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./DialogFooter.module.css";

/** The buttons at the end of a form. In a dialog, they stay visible while the form scrolls. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="sm" className={classes.footer}>
      {children}
    </Group>
  );
}
