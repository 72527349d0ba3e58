import { Group, Radio } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { languageOf, LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useChangeLanguage } from "../../shared/session/use-change-language.ts";

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const changeLanguage = useChangeLanguage();
  return (
    <Radio.Group
      label={t("account.languageOfPages")}
      value={i18n.language}
      onChange={(language) => void changeLanguage(languageOf(language))}
    >
      <Group mt="xs" gap="lg">
        {LANGUAGE_NAMES.map(([language, name]) => (
          <Radio key={language} value={language} label={name} lang={language} />
        ))}
      </Group>
    </Radio.Group>
  );
}
