import { useQueryClient } from "@tanstack/react-query";
import { reasonHeader } from "../api/change-reason.ts";
import { send } from "../api/request.ts";
import type { Environment, Flag } from "../api/types.ts";
import { needsApproval, useChangeOrPropose } from "../change-requests/use-change-or-propose.ts";
import { strategiesQuery } from "../data/flag.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useNotify } from "../ui/use-notify.tsx";

export interface FlagInEnvironment {
  flag: Pick<Flag, "id" | "name" | "projectId">;
  environment: Pick<Environment, "id" | "name" | "production">;
}

/** The key (React Query) of the mutations that switch a flag in one environment. */
export const switchKey = ({ flag, environment }: FlagInEnvironment) =>
  ["switch", flag.id, environment.id] as const;

/**
 * Returns a function that switches a flag on or off in one environment, without a confirmation, and
 * then offers to undo that. If the change needs an approval, it offers to propose the change. It
 * shows any other error as a notification. The request has no `If-Match`, because switching off must
 * not fail on a conflict. The history shows the reason, which may be empty.
 */
export function useSetEnabled(): (
  target: FlagInEnvironment,
  enabled: boolean,
  reason: string,
) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const client = useQueryClient();
  const changeOrPropose = useChangeOrPropose();

  const switchFlag = (target: FlagInEnvironment, enabled: boolean, reason: string) => {
    const { flag, environment } = target;
    const mutation = client.getMutationCache().build(client, {
      mutationKey: switchKey(target),
      // The mutations of one switch run one after another, so that the last click decides.
      scope: { id: switchKey(target).join(" ") },
      mutationFn: (wanted: boolean) =>
        send("put", "/api/v1/flags/{flagId}/strategies", {
          path: { flagId: flag.id },
          header: reasonHeader(reason),
          body: { environmentId: environment.id, enabled: wanted },
        }),
      // Update the cached strategy from the response, before the refetch. The strategy form sends
      // the cached version in `If-Match`, and the user may save before the refetch has finished.
      onSuccess: (saved) =>
        client.setQueryData(strategiesQuery(flag.id).queryKey, (strategies) =>
          strategies?.map((cached) =>
            cached.environmentId === saved.environmentId ? saved : cached,
          ),
        ),
    });
    return mutation.execute(enabled);
  };

  const set = async (
    target: FlagInEnvironment,
    enabled: boolean,
    reason: string,
    done: (message: string) => void,
  ) => {
    const { flag, environment } = target;
    const names = { flag: flag.name, environment: environment.name };
    try {
      const saved = await changeOrPropose({
        projectId: flag.projectId,
        operations: [
          {
            kind: "strategy.set",
            target: { flagId: flag.id, environmentId: environment.id },
            input: { enabled },
          },
        ],
        reason,
        send: () => switchFlag(target, enabled, reason),
      });
      if (saved) done(t(enabled ? "flags.switchedOn" : "flags.switchedOff", names));
    } catch (error) {
      if (!needsApproval(error)) notify.failed(error);
    }
  };

  return (target, enabled, reason) =>
    set(target, enabled, reason, (message) =>
      notify.undoable(message, () => void set(target, !enabled, "", notify.done)),
    );
}
