import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import classes from "./PageHeader.module.css";

interface Props {
  title: string;
  description?: ReactNode;
  /** What can be done here; buttons. */
  actions?: ReactNode;
}

/** The one h1 of a page, which is the title of the tab, too. */
export function PageHeader({ title, description, actions }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <Title order={1} size="h2" className={classes.title}>
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
