import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasStatus } from "../shared/api/api-error.ts";
import { forgetProject, rememberProject } from "../shared/data/last-project.ts";
import { projectQuery } from "../shared/data/projects.ts";
import { useProjectId } from "../shared/data/use-project-id.ts";
import { PageNotFound } from "./PageError.tsx";

/** Every page of a project, once there is such a project. */
export function ProjectLayout() {
  const id = useProjectId();
  const { error, isSuccess } = useQuery(projectQuery(id));
  const isMissing = hasStatus(error, 400, 404);
  useEffect(() => {
    if (isSuccess) rememberProject(id);
    if (isMissing) forgetProject();
  }, [id, isSuccess, isMissing]);
  // The pages ask for their data at once, and say themselves what goes wrong with it.
  return isMissing ? <PageNotFound /> : <Outlet key={id} />;
}
