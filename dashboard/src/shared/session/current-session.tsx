import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { type Actor, allows, type Permission } from "@feature-flags/permissions/permissions";
import type { Project } from "../api/types.ts";
import { projectsQuery } from "../data/projects.ts";
import { useOpenProjectId } from "../data/use-project-id.ts";
import type { Session } from "./session-store.ts";

const Current = createContext<Session | null>(null);

/**
 * Provides the session of the signed-in user to the dashboard (React context). If the server ends
 * the session, the dashboard keeps the old value until the user has signed in again.
 */
export function CurrentSessionProvider({
  session,
  children,
}: {
  session: Session;
  children: ReactNode;
}) {
  return <Current value={session}>{children}</Current>;
}

/** Returns the session of the signed-in user. Throws outside of `CurrentSessionProvider`. */
export function useCurrentSession(): Session {
  const session = useContext(Current);
  if (!session) throw new Error("useCurrentSession must be used below CurrentSessionProvider.");
  return session;
}

/**
 * Whether the signed-in user has the permission in the project of the page, or else in the
 * organisation. The dashboard hides the actions that the role does not allow; the API enforces the
 * permission.
 */
export function useCan(permission: Permission): boolean {
  const { user } = useCurrentSession();
  const projectId = useOpenProjectId();
  const { data: projects } = useQuery({ ...projectsQuery, enabled: projectId !== undefined });
  const ownRole = projects?.find((project) => project.id === projectId)?.ownRole;
  return allows(actorOf(user, projectId, ownRole), permission, projectId);
}

/** Returns the projects in which the signed-in user has the permission. Empty while they load. */
export function useProjectsWith(permission: Permission): readonly Project[] {
  const { user } = useCurrentSession();
  const { data: projects = [] } = useQuery(projectsQuery);
  return projects.filter(({ id, ownRole }) => allows(actorOf(user, id, ownRole), permission, id));
}

/** The signed-in user as the caller of the API, with the role in one project. */
function actorOf(
  { id, email, role }: Session["user"],
  projectId: number | undefined,
  ownRole: Project["ownRole"] | undefined,
): Actor {
  const session = { sessionId: undefined, projectId: undefined, mfaOverdue: false };
  const projectRoles = new Map(projectId === undefined ? [] : [[projectId, ownRole ?? role]]);
  return { kind: "user", id, email, role, projectRoles, hiddenProjects: new Set(), ...session };
}
