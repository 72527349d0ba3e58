import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./SettingsSection.module.css";

interface Props {
  title: string;
  /** What it is about. */
  description: ReactNode;
  children: ReactNode;
}

/** One topic of a page of settings: what it is about beside what can be set, or above it. */
export function SettingsSection({ title, description, children }: Props) {
  return (
    <section className={classes.section}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mt={4} component="div">
          {description}
        </Text>
      </div>
      <Paper withBorder radius="md" p="lg">
        {children}
      </Paper>
    </section>
  );
}

/** Below the sections: what is done with all of them. */
export function SettingsActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
