import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../shared/ui/links.tsx";
import { PageHeader } from "../shared/ui/PageHeader.tsx";

/** In the place of a page that broke. */
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

/** At an address that no page has, or of something that is gone. */
export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.pageMissing")} description={t("errors.pageMissingText")} />
      <LinkButton to="/projects">{t("errors.home")}</LinkButton>
    </>
  );
}
