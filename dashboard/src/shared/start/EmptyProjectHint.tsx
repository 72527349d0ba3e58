import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useProjectId } from "../data/use-project-id.ts";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Leads whoever visits an empty project for the first time to the guided start. */
export function EmptyProjectHint() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  return (
    <EmptyState
      title={t("start.hintTitle")}
      action={
        <Button
          renderRoot={(props) => (
            <Link to="/projects/$projectId/start" params={{ projectId }} {...props} />
          )}
        >
          {t("start.hintAction")}
        </Button>
      }
    >
      {t("start.hintText")}
    </EmptyState>
  );
}
