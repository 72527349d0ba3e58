import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { isPast } from "../../shared/time.ts";
import { Agents } from "../../shared/tokens/Agents.tsx";
import { Tokens } from "../../shared/tokens/Tokens.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { ConnectAgent } from "./ConnectAgent.tsx";

const route = getRouteApi("/profile/tokens");

/** The tokens of the user, and the agents that act for the user. */
export function OwnTokensPage() {
  const { t } = useTranslation();
  const { data: mfa } = useQuery(mfaQuery);
  const deadline = mfa?.mfaEnrollmentDeadline ?? null;
  // The service refuses the tokens of a user who must first set up the second factor. A notice above
  // the page says so.
  const mayHaveTokens = mfa !== undefined && (deadline === null || !isPast(deadline));
  return (
    <>
      <PageHeader title={t("shell.profileTokens")} description={t("account.tokensIntro")} />
      <ProviderOutcomeAlert {...route.useSearch()} />
      {mayHaveTokens && (
        <>
          <SettingsSection title={t("tokens.title")} description={t("tokens.ownText")}>
            <Tokens owner={undefined} />
          </SettingsSection>
          <SettingsSection title={t("agents.title")} description={t("agents.text")}>
            <Agents />
          </SettingsSection>
          <SettingsSection title={t("connectAgent.title")} description={t("connectAgent.text")}>
            <ConnectAgent />
          </SettingsSection>
        </>
      )}
    </>
  );
}
