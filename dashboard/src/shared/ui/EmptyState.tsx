import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** A text that says what the empty list will contain, and how to create the first item. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: Props) {
  return (
    <Paper withBorder radius="md" p="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" mt={4} mx="auto" maw="34rem" component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <div style={{ marginTop: "1rem" }}>{action}</div>}
    </Paper>
  );
}
