import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../shared/ui/links.tsx";
import { PageHeader } from "../shared/ui/PageHeader.tsx";

/** Replaces a page that threw an error. */
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

/** For a URL that matches no route, or whose item does not exist. */
export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.pageMissing")} description={t("errors.pageMissingText")} />
      <LinkButton to="/projects">{t("errors.home")}</LinkButton>
    </>
  );
}
