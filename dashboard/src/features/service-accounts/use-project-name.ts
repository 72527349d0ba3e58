import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** A hook that returns a function for the name of the project of a service account. Null: all. */
export function useProjectName(): (projectId: number | null) => string {
  const { t } = useTranslation();
  const { data: projects } = useQuery(projectsQuery);
  return (projectId) =>
    projectId === null
      ? t("serviceAccounts.allProjects")
      : (projects?.find(({ id }) => id === projectId)?.name ?? "");
}
