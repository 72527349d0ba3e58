import { IconRocket } from "@tabler/icons-react";
import { useProjectId } from "../data/use-project-id.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { LinkButton } from "../ui/links.tsx";

/** A hint for a project that has no environment or no flag yet. Links to the guided start. */
export function EmptyProjectHint() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  return (
    <EmptyState
      Icon={IconRocket}
      title={t("start.hintTitle")}
      action={
        <LinkButton to="/projects/$projectId/start" params={{ projectId }}>
          {t("start.hintAction")}
        </LinkButton>
      }
    >
      {t("start.hintText")}
    </EmptyState>
  );
}
