import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { BrandMark } from "./BrandMark.tsx";
import classes from "./EntryFrame.module.css";

/** The frame of the pages in front of the door: one card under the product's name. */
export function EntryFrame({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <BrandMark size={48} />
          <Title order={1} size="h2">
            Feature Flags
          </Title>
          <Text c="dimmed">{caption}</Text>
        </div>
        <Paper withBorder radius="md" p="lg" shadow="xs">
          {children}
        </Paper>
      </div>
    </main>
  );
}
