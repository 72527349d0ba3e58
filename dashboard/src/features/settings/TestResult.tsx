import { Alert, Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useWrite } from "../../shared/api/request.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { parseOneOf } from "../../shared/parse-search-params.ts";
import type { SignOnProblem } from "../../shared/session/sign-on.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { Provider } from "./provider-fields.ts";
import { type StoredProvider, target } from "./provider-requests.ts";

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
  const tested = providers.find((provider) => provider.slug === slug);
  const name = tested?.name ?? slug ?? "";
  const isFault = problem === "unreachable" || problem === "misconfigured";
  const known = isFault ? "provider" : parseOneOf(PROBLEMS, problem);
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
      {problem === undefined && tested && tested.id !== null && !tested.enabled && (
        <TurnOn provider={{ ...tested, id: tested.id }} />
      )}
    </Alert>
  );
}

/** Lets users sign in with a provider whose test has succeeded. */
function TurnOn({ provider }: { provider: StoredProvider }) {
  const { t } = useTranslation();
  const { done, failed } = useNotify();
  const { name } = provider;
  const turnOn = useWrite("put", "/api/v1/settings/identity-providers/{id}", {
    onSuccess: () => done(t("identityProviders.turnedOn", { name })),
    onError: failed,
  });
  return (
    <Button
      mt="sm"
      display="block"
      loading={turnOn.isPending}
      onClick={() => turnOn.mutate({ ...target(provider), body: { enabled: true } })}
    >
      {t("identityProviders.turnOn", { name })}
    </Button>
  );
}
