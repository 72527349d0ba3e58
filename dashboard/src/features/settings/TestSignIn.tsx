import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { goToProvider } from "../../shared/session/sign-on.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { Provider } from "./provider-fields.ts";
import { testAssertion } from "./provider-requests.ts";

const route = getRouteApi("/settings/sign-on");

/** Signs in at the provider without an effect. The result is shown when the browser comes back. */
export function TestSignIn({ provider: { slug, name, type } }: { provider: Provider }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const navigate = route.useNavigate();
  const withCause = (error: unknown) => {
    if (!(error instanceof ApiError) || error.problem !== "provider") throw error;
    const message = t("identityProviders.testCause", { name, cause: error.message });
    throw error.copyWith({ code: "REWORDED", message });
  };
  const test = useMutation({
    mutationFn: async () => {
      if (type === "access") {
        const problem = await testAssertion(slug);
        const result = problem === undefined ? { signOn: "test" as const } : { problem };
        await navigate({ search: { provider: slug, ...result }, replace: true });
      } else {
        const returnTo = `/settings/sign-on?provider=${encodeURIComponent(slug)}`;
        await goToProvider(api, slug, { intent: "test", returnTo }).catch(withCause);
      }
    },
    onError: failed,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={test.isPending}
      aria-label={t("identityProviders.testOne", { name })}
      onClick={() => test.mutate()}
    >
      {t("identityProviders.test")}
    </Button>
  );
}
