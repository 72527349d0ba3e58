import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { switchLanguage } from "../../shared/i18n/i18n.ts";
import { LANGUAGE_NAMES } from "../../shared/i18n/language.ts";

/** Buttons that switch the language of the pages before sign-in. The browser stores the choice. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <Group justify="center" gap={4} mt="md" role="group" aria-label={t("session.language")}>
      {LANGUAGE_NAMES.map(([language, name]) => (
        <Button
          key={language}
          lang={language}
          size="compact-sm"
          color="gray"
          variant={language === i18n.language ? "light" : "subtle"}
          aria-pressed={language === i18n.language}
          onClick={() => void switchLanguage(i18n, language)}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
