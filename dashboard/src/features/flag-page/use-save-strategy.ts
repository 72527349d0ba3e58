import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { type StrategyChange, strategyRequest } from "./strategy-request.ts";

/** Saves with `If-Match`. After a conflict (412), reloads the strategies before it reports that. */
export function useSaveStrategy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: StrategyChange) =>
      dataOf(api.PUT("/api/v1/flags/{flagId}/strategies", strategyRequest(change))),
    onError: async (error, { strategy: { flagId } }) => {
      if (isVersionConflict(error))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
}

/** Whether the error says that another user has changed the strategy since it was loaded (412). */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);
