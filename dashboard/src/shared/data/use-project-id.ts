import { useParams } from "@tanstack/react-router";

/** Returns the id of the project in the URL. Throws on a page outside of a project. */
export const useProjectId = (): number =>
  useParams({ from: "/projects/$projectId", select: ({ projectId }) => projectId });

/** Returns the id of the project in the URL. Undefined on a page outside of a project. */
export const useOpenProjectId = (): number | undefined =>
  useParams({ strict: false, select: ({ projectId }) => projectId });
