import { Group, Radio } from "@mantine/core";
import { languageOf, LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useChangeLanguage } from "../../shared/session/use-change-language.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { NameForm } from "./NameForm.tsx";
import { SecondFactor } from "./SecondFactor.tsx";
import { Sessions } from "./Sessions.tsx";

export function ProfilePage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("shell.profile")} description={t("account.intro")} />
      <SettingsSection title={t("account.person")} description={t("account.personText")}>
        <NameForm />
      </SettingsSection>
      <SettingsSection title={t("shell.language")} description={t("account.languageText")}>
        <LanguageChoice />
      </SettingsSection>
      <SettingsSection title={t("account.password")} description={t("account.passwordText")}>
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title={t("account.mfa")} description={t("account.mfaText")}>
        <SecondFactor />
      </SettingsSection>
      <SettingsSection title={t("account.sessions")} description={t("account.sessionsText")}>
        <Sessions />
      </SettingsSection>
    </>
  );
}

function LanguageChoice() {
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
