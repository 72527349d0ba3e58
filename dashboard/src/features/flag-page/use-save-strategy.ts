import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import { useChangeOrPropose } from "../../shared/change-requests/use-change-or-propose.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { type StrategyChange, strategyOperation, strategyRequest } from "./strategy-request.ts";

/**
 * Returns a function that saves with `If-Match`, or proposes the change (`useChangeOrPropose`), and its state. After a
 * conflict (412), it reloads the strategies before it reports that.
 */
export function useSaveStrategy(projectId: number) {
  const client = useQueryClient();
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (change: StrategyChange) =>
      dataOf(api.PUT("/api/v1/flags/{flagId}/strategies", strategyRequest(change))),
    onError: async (failure, { strategy: { flagId } }) => {
      if (isVersionConflict(failure))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
  const save = (change: StrategyChange) =>
    changeOrPropose({
      projectId,
      operations: [strategyOperation(change)],
      reason: change.reason,
      send: () => mutateAsync(change),
    });
  return { save, isPending, error, reset };
}

/** Whether the error says that another user has changed the strategy since it was loaded (412). */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);
