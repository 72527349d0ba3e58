import { useWindowEvent } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../shared/ui/links.tsx";
import { PageHeader } from "../shared/ui/PageHeader.tsx";

/**
 * The error page: the router renders it instead of a page that threw an error while it loaded or
 * rendered. Loads the page again when the browser is online again.
 */
export function PageError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  const retry = () => void router.invalidate();
  useWindowEvent("online", retry);
  return (
    <>
      <PageHeader title={t("errors.pageFailed")} />
      <ErrorAlert error={error} onRetry={retry} />
    </>
  );
}

/**
 * The "not found" page for a URL that matches no route, that contains an invalid id, or whose
 * project does not exist.
 */
export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.pageMissing")} description={t("errors.pageMissingText")} />
      <LinkButton to="/projects">{t("errors.home")}</LinkButton>
    </>
  );
}
