import { Anchor, Group, Paper, Text } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { DRAWINGS } from "./drawings.tsx";
import classes from "./EmptyState.module.css";

interface Props {
  title: string;
  /**
   * The picture above the title: for an empty list, the icon of its page in the navigation. Some icons
   * have a drawing, which shows instead.
   */
  Icon: TablerIcon;
  /** A text that says what the empty list will contain, and how to create the first item. */
  children?: ReactNode;
  action?: ReactNode;
  /** The path of a document that explains more. */
  docs?: string;
}

export function EmptyState({ title, Icon, children, action, docs }: Props) {
  const { t } = useTranslation();
  return (
    <Paper radius="md" className={classes.empty}>
      {DRAWINGS.get(Icon) ?? (
        <span className={classes.icon} aria-hidden>
          <Icon size={24} stroke={1.5} />
        </span>
      )}
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" maw="34rem" className={classes.text} component="div">
          {children}
        </Text>
      )}
      {(Boolean(action) || docs !== undefined) && (
        <Group justify="center" gap="md" mt="md">
          {action}
          {docs !== undefined && (
            <Anchor size="sm" href={docs} target="_blank" rel="noreferrer" className={classes.docs}>
              {t("common.readDocs")}
            </Anchor>
          )}
        </Group>
      )}
    </Paper>
  );
}
