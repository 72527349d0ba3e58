import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/**
 * The React Query options that load the signed-in user's active sessions: first the current
 * session, then the others, newest first. The API considers only the user's 50 newest sessions.
 */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/auth/sessions", { signal })),
  select: (sessions) => sessions.toSorted((a, b) => Number(b.current) - Number(a.current)),
});

export async function endSessions(ids: readonly string[]): Promise<void> {
  for (const sessionId of ids)
    await api.DELETE("/api/v1/auth/sessions/{sessionId}", { params: { path: { sessionId } } });
}
