import { Paper, Text, Title, Button, Group } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { switchLanguage } from "../../shared/i18n/i18n.ts";
import { LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { BrandMark } from "../../shared/ui/BrandMark.tsx";
import classes from "./SignedOutLayout.module.css";

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

/** Buttons that switch the language of the pages before sign-in. The browser stores the choice. */
function LanguageSwitch() {
  const { t, language: shown } = useTranslation();
  return (
    <Group justify="center" gap={4} mt="md" role="group" aria-label={t("session.language")}>
      {LANGUAGE_NAMES.map(([language, name]) => (
        <Button
          key={language}
          lang={language}
          size="compact-sm"
          color="gray"
          variant={language === shown ? "light" : "subtle"}
          aria-pressed={language === shown}
          onClick={() => void switchLanguage(language)}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
