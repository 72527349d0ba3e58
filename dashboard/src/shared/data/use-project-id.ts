import { useParams } from "@tanstack/react-router";

/** Returns the id of the project in the URL. Throws on a page outside of a project. */
export const useProjectId = (): number =>
  useParams({ from: "/projects/$projectId", select: ({ projectId }) => projectId });
