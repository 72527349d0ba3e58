import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { followProject } from "../shared/api/project-stream.ts";
import { clearLastProjectId, storeLastProjectId } from "../shared/data/last-project.ts";
import { useProjectExists } from "../shared/data/projects.ts";
import { useProjectId } from "../shared/data/use-project-id.ts";
import { PageNotFound } from "./PageError.tsx";

/**
 * The component around all pages of a project. If the project does not exist, renders the "not
 * found" page instead. Stores the id of the open project in the browser, and follows the changes of
 * the project.
 */
export function ProjectLayout() {
  const id = useProjectId();
  const found = useProjectExists(id);
  const exists = found === true;
  const isMissing = found === false;
  useFollowProject(id, exists);
  useEffect(() => {
    if (exists) storeLastProjectId(id);
    if (isMissing) clearLastProjectId();
  }, [id, exists, isMissing]);
  // Do not wait for the project to load: each page loads its own data and displays its own errors.
  return isMissing ? <PageNotFound /> : <Outlet key={id} />;
}

/** How long the refetch waits for further changes, milliseconds. */
const DEBOUNCE_MS = 200;

/**
 * Refetches the queries when somebody changes the project, and shows the previous data until then.
 */
function useFollowProject(projectId: number, isEnabled: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A successful mutation refetches all queries, also those that this change concerns.
        if (client.isMutating() > 0) refetchSoon();
        else refetch(client);
      }, DEBOUNCE_MS);
    };
    const stop = followProject(projectId, refetchSoon);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, projectId, isEnabled]);
}

/** Refetches all queries except failed ones, whose error the page shows until the user retries. */
const refetch = (client: QueryClient): void =>
  void client.invalidateQueries({ predicate: ({ state }) => state.status !== "error" });
