import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
import type { Session } from "./session-store.ts";

const Current = createContext<Session | null>(null);

/**
 * Provides the session of the signed-in user. The value stays while the user signs in again after
 * the session ended.
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

/** The session of the signed-in user. Only below `CurrentSessionProvider`. */
export function useCurrentSession(): Session {
  const session = useContext(Current);
  if (!session) throw new Error("useCurrentSession must be used below CurrentSessionProvider.");
  return session;
}

/**
 * Whether the role of the signed-in user has the permission. The dashboard hides what the role may
 * not do.
 */
export function useCan(permission: Permission): boolean {
  const { id, email, role } = useCurrentSession().user;
  const session = { sessionId: undefined, projectId: undefined, mfaOverdue: false };
  return allows({ kind: "user", id, email, role, ...session }, permission);
}
