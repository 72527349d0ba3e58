import { api } from "../../shared/api/client.ts";
import { writeSession } from "../../shared/session/session-store.ts";

/** Ends the session in all tabs and, if the service can be reached, on the service. */
export async function signOut(): Promise<void> {
  try {
    await api.POST("/api/v1/auth/logout");
  } catch {
    // Ignore the error, because the user must be signed out of this browser even when the service
    // cannot be reached.
  } finally {
    writeSession(null);
  }
}
