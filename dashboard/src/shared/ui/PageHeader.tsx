import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./PageHeader.module.css";

interface Props {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}

/**
 * The header of a page: the only h1, a description and buttons. The text of the h1 is also the
 * title of the browser tab. After a navigation to another path, the h1 takes the focus.
 */
export function PageHeader({ title, description, actions }: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If the heading renders late, `usePageFocus` has focused <main>. Move the focus to the
    // heading, unless the user has already moved the focus.
    if (document.activeElement?.tagName === "MAIN") heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <Title
          ref={heading}
          tabIndex={-1}
          order={1}
          size="h2"
          className={classes.title}
          title={title}
        >
          {title}
        </Title>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={4} component="div" className={classes.description}>
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </div>
  );
}
