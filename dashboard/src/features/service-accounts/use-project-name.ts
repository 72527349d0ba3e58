import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/**
 * A hook that returns a function for the name of the project of a service account. Null: all. Undefined
 * while the projects load.
 */
export function useProjectName(): ((projectId: number | null) => string) | undefined {
  const { t } = useTranslation();
  const { data: projects, isPending } = useQuery(projectsQuery);
  if (isPending) return undefined;
  return (projectId) =>
    projectId === null
      ? t("serviceAccounts.allProjects")
      : (projects?.find(({ id }) => id === projectId)?.name ?? "");
}
