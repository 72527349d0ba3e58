import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./PageHeader.module.css";

interface Props {
  title: string;
  description?: ReactNode;
  /** What can be done here; buttons. */
  actions?: ReactNode;
}

/** The one h1 of a page, which is the title of the tab, too. It gets the focus when a link led here. */
export function PageHeader({ title, description, actions }: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The frame has put it on the whole page meanwhile, and nobody has moved it since.
    if (document.activeElement?.tagName === "MAIN") heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <Title ref={heading} tabIndex={-1} order={1} size="h2" className={classes.title}>
          {title}
        </Title>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={4} component="div">
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </div>
  );
}
