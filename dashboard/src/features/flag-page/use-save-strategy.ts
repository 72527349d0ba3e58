import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, proposalOf } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import {
  useChangeOrPropose,
  useShowRequest,
} from "../../shared/change-requests/use-change-or-propose.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type StrategyChange, strategyOperation, strategyRequest } from "./strategy-request.ts";
import type { Sending } from "./ways-to-save.ts";

/**
 * Returns a function that saves with `If-Match`, or proposes the change, and its state. The function resolves to
 * undefined if the change is proposed. If a direct change needs an approval, it offers to propose it
 * (`useChangeOrPropose`). After a conflict (412), it reloads the strategies before it reports that.
 */
export function useSaveStrategy(projectId: number) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const changeOrPropose = useChangeOrPropose();
  const showRequest = useShowRequest();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: async ({ change, how }: { change: StrategyChange; how: Sending }) => {
      const sent = api.PUT("/api/v1/flags/{flagId}/strategies", strategyRequest(change, how));
      return how === "propose"
        ? { request: await proposalOf(sent) }
        : { strategy: await dataOf(sent) };
    },
    onError: async (failure, { change: { strategy } }) => {
      if (isVersionConflict(failure))
        await client.invalidateQueries({ queryKey: strategiesQuery(strategy.flagId).queryKey });
    },
  });
  const save = async (change: StrategyChange, how: Sending = "save") => {
    const send = () => mutateAsync({ change, how });
    const operations = [strategyOperation(change)];
    const sent =
      how === "save"
        ? await changeOrPropose({ projectId, operations, reason: change.reason, send })
        : await send();
    if (sent?.request) showRequest(t("flags.proposed"), sent.request);
    return sent?.strategy;
  };
  return { save, isPending, error, reset };
}

/** Whether the error says that another user has changed the strategy since it was loaded (412). */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);
