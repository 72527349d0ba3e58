import { useSyncExternalStore } from "react";
import { readEndedSession, readSession, subscribeToSession } from "./session-store.ts";
import type { EndedSession, Session } from "./session-store.ts";

/** The current session, null when signed out. Re-renders on changes, also from other tabs. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}

/** The session that the server ended, null when there is none. */
export function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(subscribeToSession, readEndedSession);
}
