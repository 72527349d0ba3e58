import { useParams } from "@tanstack/react-router";

/** The project of the page; only on pages of a project. */
export const useProjectId = (): number =>
  useParams({ from: "/projects/$projectId", select: ({ projectId }) => projectId });
