import { request } from "../../shared/api/request.ts";
import { writeSession } from "../../shared/session/session-store.ts";

/** Ends the session on the server and in all tabs of this browser. */
export async function signOut(): Promise<void> {
  try {
    await request<undefined>("/auth/logout", { method: "POST" });
  } catch {
    // Whoever signs out must be out of this browser even when the server cannot be told.
  } finally {
    writeSession(null);
  }
}
