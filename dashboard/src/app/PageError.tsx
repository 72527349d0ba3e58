import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../shared/ui/links.tsx";
import { PageHeader } from "../shared/ui/PageHeader.tsx";

/** Shown instead of a page whose rendering or loading threw an error. */
export function PageError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <>
      <PageHeader title={t("errors.pageFailed")} />
      <ErrorAlert error={error} onRetry={() => void router.invalidate()} />
    </>
  );
}

/**
 * Shown when the URL matches no route, or when the flag, project or other item in the URL does not
 * exist.
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
