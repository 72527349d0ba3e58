import { useWindowEvent } from "@mantine/hooks";
import { IconSearchOff } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { EmptyState } from "../shared/ui/EmptyState.tsx";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../shared/ui/links.tsx";
import { PageHeader } from "../shared/ui/PageHeader.tsx";

/** Replaces a page that threw an error. Loads the page again when the browser is online again. */
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

/** For a URL without a route, with an invalid id, or of a project that does not exist. */
export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.pageMissing")} />
      <EmptyState
        Icon={IconSearchOff}
        title={t("errors.pageMissingText")}
        action={<LinkButton to="/projects">{t("errors.home")}</LinkButton>}
      />
    </>
  );
}
