import { Alert } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { parseOneOf } from "../../shared/parse-search-params.ts";
import type { SignOnProblem } from "../../shared/session/sign-on.ts";
import type { Provider } from "./provider-fields.ts";

const route = getRouteApi("/settings/sign-on");

/** The problems that this page explains. The service can send others in a later release. */
const PROBLEMS = [
  "denied",
  "expired",
  "not-verified",
  "domain",
  "no-role",
  "disabled",
  "provider",
] as const satisfies readonly SignOnProblem[];

/** Says how the test of a provider ended. Renders nothing without a test. */
export function TestResult({ providers }: { providers: readonly Provider[] }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { provider: slug, signOn, problem } = route.useSearch();
  if (signOn === undefined && problem === undefined) return null;
  const name = providers.find((provider) => provider.slug === slug)?.name ?? slug ?? "";
  const known = parseOneOf(PROBLEMS, problem);
  const explanation = known
    ? t(`identityProviders.problems.${known}`)
    : t("identityProviders.problems.other", { word: problem ?? "" });
  return (
    <Alert
      mb="md"
      variant="light"
      color={problem === undefined ? "green" : "red"}
      role={problem === undefined ? "status" : "alert"}
      title={t(
        problem === undefined ? "identityProviders.testWorked" : "identityProviders.testFailed",
        { name },
      )}
      withCloseButton
      closeButtonLabel={t("common.close")}
      onClose={() => void navigate({ search: {}, replace: true })}
    >
      {problem === undefined ? t("identityProviders.testWorkedText") : explanation}
    </Alert>
  );
}
