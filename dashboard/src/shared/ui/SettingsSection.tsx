import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./SettingsSection.module.css";

interface Props {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

/**
 * One section of a settings page: a title, a description and the settings. On wide screens the
 * description is beside the settings, on narrow screens above them.
 */
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
        <div className={classes.settings}>{children}</div>
      </Paper>
    </section>
  );
}

/** The buttons below all sections of a settings page. */
export function SettingsActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
