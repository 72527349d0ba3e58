import { useSyncExternalStore } from "react";
import { readEndedSession, readSession, subscribeToSession } from "./session-store.ts";
import type { EndedSession, Session } from "./session-store.ts";

/**
 * Returns the current session, or null if nobody is signed in. Re-renders when the session changes,
 * even in another tab.
 */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}

/** Returns the session that the server has ended, or null if there is none. */
export function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(subscribeToSession, readEndedSession);
}
