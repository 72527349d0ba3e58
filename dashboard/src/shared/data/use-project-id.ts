import { useParams } from "@tanstack/react-router";

/** The project id in the URL. Only on pages of a project. */
export const useProjectId = (): number =>
  useParams({ from: "/projects/$projectId", select: ({ projectId }) => projectId });
