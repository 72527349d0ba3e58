import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
import type { Session } from "./session-store.ts";

const Current = createContext<Session | null>(null);

/** Who works on the page; it stays while an ended session is opened again. */
export function CurrentSessionProvider({
  session,
  children,
}: {
  session: Session;
  children: ReactNode;
}) {
  return <Current value={session}>{children}</Current>;
}

/** Only below `CurrentSession`. */
export function useCurrentSession(): Session {
  const session = useContext(Current);
  if (!session) throw new Error("Nobody is signed in");
  return session;
}

/** Whether the role of whoever is signed in allows it: what it does not is not offered. */
export function useCan(permission: Permission): boolean {
  const { id, email, role } = useCurrentSession().user;
  const session = { sessionId: undefined, projectId: undefined, mfaOverdue: false };
  return allows({ kind: "user", id, email, role, ...session }, permission);
}
