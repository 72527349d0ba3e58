import { useSyncExternalStore } from "react";
import { readSession, subscribeToSession } from "./session-store.ts";
import type { Session } from "./session-store.ts";

/** The current session, null when signed out; follows changes made in other tabs. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, readSession);
}
