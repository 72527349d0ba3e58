import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { useProgress } from "./use-progress.ts";
import { Steps } from "./Steps.tsx";

/**
 * The guided start of a project. Its steps lead from an empty project to the first evaluation of a
 * flag.
 */
export function StartPage() {
  const { t } = useTranslation();
  const { progress, error, retry } = useProgress(useProjectId());
  return (
    <>
      <PageHeader title={t("start.title")} description={t("start.description")} />
      {error && <ErrorAlert error={error} onRetry={retry} />}
      {progress && <Steps progress={progress} />}
      {!progress && !error && <Loading />}
    </>
  );
}
