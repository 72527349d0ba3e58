import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasStatus } from "../shared/api/api-error.ts";
import { clearLastProjectId, storeLastProjectId } from "../shared/data/last-project.ts";
import { projectQuery } from "../shared/data/projects.ts";
import { useProjectId } from "../shared/data/use-project-id.ts";
import { PageNotFound } from "./PageError.tsx";
import { useFollowProject } from "./use-follow-project.ts";

/**
 * The component around all pages of a project. If the project does not exist, renders the "not
 * found" page instead. Stores the id of the open project in the browser, and follows the changes of
 * the project.
 */
export function ProjectLayout() {
  const id = useProjectId();
  const { error, isSuccess } = useQuery(projectQuery(id));
  const isMissing = hasStatus(error, 400, 404);
  useFollowProject(id, isSuccess);
  useEffect(() => {
    if (isSuccess) storeLastProjectId(id);
    if (isMissing) clearLastProjectId();
  }, [id, isSuccess, isMissing]);
  // Do not wait for the project to load: each page loads its own data and displays its own errors.
  return isMissing ? <PageNotFound /> : <Outlet key={id} />;
}
