import { Button, Group } from "@mantine/core";
import { switchLanguage } from "../../shared/i18n/i18n.ts";
import { LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** Buttons that switch the language of the pages before sign-in. The browser stores the choice. */
export function LanguageSwitch() {
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
