import { useMutationState } from "@tanstack/react-query";
import type { Strategy } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useConfirm } from "../ui/use-confirm.tsx";
import { isTargeted, type Targeting } from "./targeting-summary.ts";
import { type FlagInEnvironment, switchKey, useSetEnabled } from "./use-set-enabled.ts";

interface Switchable extends FlagInEnvironment {
  strategy: Pick<Strategy, "enabled"> & Targeting;
}

/**
 * The switch of a flag in one environment. `switchTo` asks for confirmation in production, and then
 * offers to undo the change. `isOn` is the state after the last confirmed click, even before the
 * server has responded.
 */
export function useFlagSwitch({ flag, environment, strategy }: Switchable) {
  const isConfirmed = useConfirmInProduction();
  const set = useSetEnabled();
  const pending = useMutationState({
    filters: { mutationKey: switchKey({ flag, environment }), status: "pending" },
    select: ({ state }) => state.variables === true,
  });
  return {
    isOn: pending.at(-1) ?? strategy.enabled,
    switchTo: async (enabled: boolean): Promise<void> => {
      if (await isConfirmed({ flag, environment, strategy: { ...strategy, enabled } }))
        await set({ flag, environment }, enabled);
    },
  };
}

/** Turns a flag off from anywhere. Asks in production, and then offers to undo the change. */
export function useTurnOff(): (target: FlagInEnvironment) => Promise<void> {
  const isConfirmed = useConfirmInProduction();
  const set = useSetEnabled();
  return async (target) => {
    if (await isConfirmed({ ...target, strategy: OFF })) await set(target, false);
  };
}

const OFF = { enabled: false } as const;

/** The state of a flag after it is switched. Only a flag that is on has a targeting. */
interface Change extends FlagInEnvironment {
  strategy: typeof OFF | Switchable["strategy"];
}

/**
 * Returns a function that asks for confirmation before a strategy changes in production, and
 * resolves to whether the user has confirmed. Outside of production, the function does not ask, and
 * resolves to true.
 */
export function useConfirmInProduction(): (change: Change) => Promise<boolean> {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const confirm = useConfirm();

  const consequence = ({ flag, environment, strategy }: Change): string => {
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
      production: environment.name,
      children: consequence(change),
      confirm: t(strategy.enabled ? "flags.switchOn" : "flags.switchOff"),
      isDangerous: !strategy.enabled,
    });
  };
}
