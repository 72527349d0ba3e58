import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { Accounts } from "./Accounts.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { SecondFactor } from "./SecondFactor.tsx";
import { Sessions } from "./Sessions.tsx";

const route = getRouteApi("/profile/security");

/** How the user signs in, and where the user is signed in. */
export function SecurityPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("shell.profileSecurity")} description={t("account.securityIntro")} />
      <ProviderOutcomeAlert {...route.useSearch()} />
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
  );
}
