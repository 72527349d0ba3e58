import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
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
 * Whether the role of the signed-in user has the permission. The dashboard hides the actions that
 * the role does not allow; the API enforces the permission.
 */
export function useCan(permission: Permission): boolean {
  const { id, email, role } = useCurrentSession().user;
  const session = { sessionId: undefined, projectId: undefined, mfaOverdue: false };
  return allows({ kind: "user", id, email, role, ...session }, permission);
}
