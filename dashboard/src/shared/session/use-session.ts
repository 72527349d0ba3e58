import { useSyncExternalStore } from "react";
import { readEndedSession, readSession, subscribeToSession } from "./session-store.ts";
import type { EndedSession, Session } from "./session-store.ts";

/**
 * Returns the stored session, or null if nobody is signed in. Renders the component again when the
 * session changes, even in another tab.
 */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}

/**
 * Returns the session that the server has ended, or null if there is none. Renders the component
 * again when the stored session changes.
 */
export function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(subscribeToSession, readEndedSession);
}
