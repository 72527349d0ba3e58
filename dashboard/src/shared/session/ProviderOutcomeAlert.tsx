import { Alert } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import type { ProviderOutcome } from "./provider-outcome.ts";

const DONE = { link: "account.linked", confirm: "account.confirmed" } as const;

/** How the visit to an identity provider went, after the provider has sent the browser back. */
export function ProviderOutcomeAlert({ signOn, problem }: ProviderOutcome) {
  const { t } = useTranslation();
  if (problem !== undefined)
    return (
      <Alert mb="lg" color="red" role="alert">
        {t(`session.problems.${problem}`)}
      </Alert>
    );
  if (signOn === undefined) return null;
  return (
    <Alert mb="lg" color="green" role="status">
      {t(DONE[signOn])}
    </Alert>
  );
}
