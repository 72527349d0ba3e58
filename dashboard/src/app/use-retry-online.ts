import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { hasCode } from "../shared/api/api-error.ts";

/**
 * A hook that repeats the queries that failed without a network, when the browser is online again.
 */
export function useRetryOnline(): void {
  const client = useQueryClient();
  useWindowEvent("online", () => {
    void client.invalidateQueries({
      predicate: ({ state }) => hasCode(state.error, "UNREACHABLE"),
    });
  });
}
