import { Button } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { read } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { NewPasswordField, PASSWORD_LENGTH } from "../../shared/session/PasswordField.tsx";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { confirmationOf, ownAccountQuery } from "../../shared/session/own-account.ts";
import { useChangeProfile } from "../../shared/session/use-change-profile.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { Accounts } from "./Accounts.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { SecondFactor } from "./SecondFactor.tsx";
import { Sessions, sessionsQuery } from "./Sessions.tsx";

const route = getRouteApi("/profile/security");

/** How the user signs in, and where the user is signed in. */
export function SecurityPage() {
  const { t } = useTranslation();
  // The sections wait for each other. Otherwise a section would move those below it when it loads.
  const account = useQuery(ownAccountQuery);
  const mfa = useQuery(mfaQuery);
  const passkeys = useQuery(read("/api/v1/auth/passkeys"));
  const sessions = useQuery(sessionsQuery);
  const isPending = account.isPending || mfa.isPending || passkeys.isPending || sessions.isPending;
  return (
    <>
      <PageHeader title={t("shell.profileSecurity")} description={t("account.securityIntro")} />
      <ProviderOutcomeAlert {...route.useSearch()} />
      {isPending ? (
        <Loading />
      ) : (
        <>
          <SettingsSection title={t("account.password")} description={t("account.passwordText")}>
            <ConfirmIdentity>
              {(confirmedUntil) => <PasswordForm confirmedUntil={confirmedUntil} />}
            </ConfirmIdentity>
          </SettingsSection>
          <SettingsSection title={t("account.mfa")} description={t("account.mfaText")}>
            <SecondFactor />
          </SettingsSection>
          <SettingsSection title={t("passkeys.title")} description={t("passkeys.text")}>
            <Passkeys />
          </SettingsSection>
          <SettingsSection title={t("account.sessions")} description={t("account.sessionsText")}>
            <Sessions />
          </SettingsSection>
          <Accounts />
        </>
      )}
    </>
  );
}

interface Props {
  /** Until when the current password is not needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
}

function PasswordForm({ confirmedUntil }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { mutateAsync } = useChangeProfile();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { currentPassword: "", password: "" },
      validate: {
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
        password: (typed) =>
          typed.length < PASSWORD_LENGTH.min || typed.length > PASSWORD_LENGTH.max
            ? t("account.passwordLength", PASSWORD_LENGTH)
            : null,
      },
    },
    submit: async ({ currentPassword, password }) => {
      await rewordError(mutateAsync({ password, ...confirmationOf(currentPassword) }), {
        fields: {
          currentPassword: t("account.currentWrong"),
          password: t("session.passwordNotAllowed"),
        },
      });
      form.reset();
      done(t("account.passwordChanged"));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        {...form.getInputProps("currentPassword")}
      />
      <NewPasswordField label={t("session.newPassword")} {...form.getInputProps("password")} />
      <div>
        <Button type="submit" loading={pending} disabled={!form.isDirty()}>
          {t("session.changePassword")}
        </Button>
      </div>
    </ServerForm>
  );
}
