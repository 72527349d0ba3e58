import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Plans.module.css";

interface Props {
  icon: ReactNode;
  /** What stands at the end of the box. */
  action?: ReactNode;
  children: ReactNode;
}

/** A box with something that will change the flag. */
export function Plan({ icon, action, children }: Props) {
  return (
    <Paper withBorder radius="md" p="sm" className={classes.plan}>
      <span className={classes.icon}>{icon}</span>
      <div className={classes.words}>{children}</div>
      {action}
    </Paper>
  );
}
