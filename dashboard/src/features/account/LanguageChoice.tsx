import { Group, Radio } from "@mantine/core";
import { languageOf, LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useChangeLanguage } from "../../shared/session/use-change-language.ts";

export function LanguageChoice() {
  const { t, language: shown } = useTranslation();
  const changeLanguage = useChangeLanguage();
  return (
    <Radio.Group
      label={t("account.languageOfPages")}
      value={shown}
      onChange={(chosen) => void changeLanguage(languageOf(chosen))}
    >
      <Group mt="xs" gap="lg">
        {LANGUAGE_NAMES.map(([language, name]) => (
          <Radio key={language} value={language} label={name} lang={language} />
        ))}
      </Group>
    </Radio.Group>
  );
}
