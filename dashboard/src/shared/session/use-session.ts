import { useSyncExternalStore } from "react";
import { readEndedSession, readSession, subscribeToSession } from "./session-store.ts";
import type { EndedSession, Session } from "./session-store.ts";

/** Null if nobody is signed in. Renders again when the session changes, even in another tab. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}

/** The session that the server has ended. Renders again when the stored session changes. */
export function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(subscribeToSession, readEndedSession);
}
