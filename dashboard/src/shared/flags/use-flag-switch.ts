import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Environment, Flag, Strategy } from "../api/types.ts";
import { strategiesQuery } from "../data/strategies.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { isTargeted, type Targeting } from "./targeting-summary.ts";

interface Switchable {
  flag: Pick<Flag, "id" | "name">;
  environment: Pick<Environment, "id" | "name" | "production">;
  strategy: Pick<Strategy, "enabled"> & Targeting;
}

/**
 * The switch of a flag in one environment. `switchTo` asks for confirmation in production, and then
 * offers to undo the change. `isOn` is the state after the last confirmed click, even before the
 * server has responded. The request has no `If-Match`, because switching off must not fail on a
 * conflict.
 */
export function useFlagSwitch({ flag, environment, strategy }: Switchable) {
  const { t } = useTranslation();
  const notify = useNotify();
  const isConfirmed = useConfirmInProduction();
  const key = ["switch", flag.id, environment.id];
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey: key,
    // The mutations of one switch run one after another, so that the last click decides.
    scope: { id: key.join(" ") },
    mutationFn: (enabled: boolean) =>
      dataOf(
        api.PUT("/api/v1/flags/{flagId}/strategies", {
          params: { path: { flagId: flag.id } },
          body: { environmentId: environment.id, enabled },
        }),
      ),
    // Update the cached strategy from the response, before the refetch. The strategy form sends the
    // cached version in `If-Match`, and the user may save before the refetch has finished.
    onSuccess: (saved) =>
      queryClient.setQueryData(strategiesQuery(flag.id).queryKey, (strategies) =>
        strategies?.map((cached) =>
          cached.environmentId === saved.environmentId ? saved : cached,
        ),
      ),
  });
  const pending = useMutationState({
    filters: { mutationKey: key, status: "pending" },
    select: ({ state }) => state.variables === true,
  });

  const names = { flag: flag.name, environment: environment.name };
  const set = async (enabled: boolean, done: (message: string) => void) => {
    try {
      await mutateAsync(enabled);
      done(t(enabled ? "flags.switchedOn" : "flags.switchedOff", names));
    } catch (error) {
      notify.failed(error);
    }
  };

  return {
    isOn: pending.at(-1) ?? strategy.enabled,
    switchTo: async (enabled: boolean): Promise<void> => {
      if (!(await isConfirmed({ flag, environment, strategy: { ...strategy, enabled } }))) return;
      await set(enabled, (message) =>
        notify.undoable(message, () => void set(!enabled, notify.done)),
      );
    },
  };
}

/**
 * Returns a function that asks for confirmation before a strategy changes in production, and
 * resolves to whether the user has confirmed. Outside of production, the function does not ask, and
 * resolves to true.
 */
export function useConfirmInProduction(): (change: Switchable) => Promise<boolean> {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const confirm = useConfirm();

  const consequence = ({ flag, environment, strategy }: Switchable): string => {
    const names = { flag: flag.name, environment: environment.name };
    if (!strategy.enabled) return t("flags.switchOffConsequence", names);
    if (strategy.rules.length > 0) return t("flags.switchOnByRules", names);
    if (strategy.exactPercentage === 0) return t("flags.switchOnForNobody", names);
    const share = { ...names, percentage: exactPercent(strategy.exactPercentage / 100) };
    if (isTargeted(strategy)) return t("flags.switchOnForSome", share);
    return strategy.exactPercentage === 100
      ? t("flags.switchOnForAll", names)
      : t("flags.switchOnForShare", share);
  };

  return async (change) => {
    const { flag, environment, strategy } = change;
    if (!environment.production) return true;
    const names = { flag: flag.name, environment: environment.name };
    return confirm({
      title: t(strategy.enabled ? "flags.switchOnTitle" : "flags.switchOffTitle", names),
      children: consequence(change),
      confirm: t(strategy.enabled ? "flags.switchOn" : "flags.switchOff"),
      isDangerous: !strategy.enabled,
    });
  };
}
