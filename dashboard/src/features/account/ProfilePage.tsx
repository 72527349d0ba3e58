import { Group, Radio, Button, Stack, Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { getRouteApi } from "@tanstack/react-router";
import { languageOf, LANGUAGE_NAMES } from "../../shared/i18n/language.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { useChangeLanguage } from "../../shared/session/use-change-language.ts";
import { useChangeProfile } from "../../shared/session/use-change-profile.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { UserAvatar } from "../../shared/ui/UserAvatar.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./ProfilePage.module.css";

const route = getRouteApi("/profile");

export function ProfilePage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("shell.profile")} description={t("account.intro")} />
      <ProviderOutcomeAlert {...route.useSearch()} />
      <SettingsSection title={t("account.person")} description={t("account.personText")}>
        <NameForm />
      </SettingsSection>
      <SettingsSection title={t("shell.language")} description={t("account.languageText")}>
        <LanguageChoice />
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

function NameForm() {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = useCurrentSession();
  const { mutateAsync } = useChangeProfile();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: user.name },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (fields) => {
      const { name } = await mutateAsync(fields);
      form.setInitialValues({ name });
      form.setValues({ name });
      done(t("common.saved"));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        <Group wrap="nowrap">
          <UserAvatar name={user.name} size="lg" />
          <div className={classes.who}>
            <Text fw={500}>{user.email}</Text>
            <Text size="sm" c="dimmed">
              {t(`users.roles.${user.role}`)}: {t(`users.roleMeans.${user.role}`)}
            </Text>
          </div>
        </Group>
        {error !== undefined && <ErrorAlert error={error} />}
        <TextInput
          label={t("common.name")}
          autoComplete="name"
          maxLength={200}
          required
          withAsterisk={false}
          {...form.getInputProps("name")}
        />
        <div>
          <Button type="submit" loading={pending} disabled={!form.isDirty()}>
            {t("common.save")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
