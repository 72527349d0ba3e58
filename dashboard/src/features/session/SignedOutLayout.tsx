import { Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { BrandMark } from "../../shared/ui/BrandMark.tsx";
import classes from "./SignedOutLayout.module.css";
import { LanguageSwitch } from "./LanguageSwitch.tsx";

interface Props {
  /** The title of the page, which the browser tab shows. */
  title: string;
  caption: string;
  children: ReactNode;
}

/** The layout of all pages before sign-in: a card below the name of the product. */
export function SignedOutLayout({ title, caption, children }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <BrandMark size={48} />
          <Title order={1} size="h2">
            {t("common.product")}
          </Title>
          <Text c="dimmed">{caption}</Text>
        </div>
        <Paper withBorder radius="md" p="lg" shadow="xs">
          {children}
        </Paper>
        <LanguageSwitch />
      </div>
    </main>
  );
}
