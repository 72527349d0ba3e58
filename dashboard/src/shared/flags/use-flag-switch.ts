import { useMutationState } from "@tanstack/react-query";
import type { Strategy } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { type Confirmation, useQuestion } from "../ui/use-confirm.tsx";
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
  const confirm = useConfirmInProduction();
  const set = useSetEnabled();
  const pending = useMutationState({
    filters: { mutationKey: switchKey({ flag, environment }), status: "pending" },
    select: ({ state }) => state.variables === true,
  });
  return {
    isOn: pending.at(-1) ?? strategy.enabled,
    switchTo: async (enabled: boolean): Promise<void> => {
      const change = { flag, environment, strategy: { ...strategy, enabled } };
      const confirmed = await confirm(change);
      if (confirmed) await set(change, enabled, confirmed.reason);
    },
  };
}

/** Turns a flag off from anywhere. Asks in production, and then offers to undo the change. */
export function useTurnOff(): (target: FlagInEnvironment) => Promise<void> {
  const confirm = useConfirmInProduction();
  const set = useSetEnabled();
  return async (target) => {
    const confirmed = await confirm({ ...target, strategy: OFF });
    if (confirmed) await set(target, false, confirmed.reason);
  };
}

const OFF = { enabled: false } as const;

/** The state of a flag after it is switched. Only a flag that is on has a targeting. */
interface Change extends FlagInEnvironment {
  strategy: typeof OFF | Switchable["strategy"];
}

/**
 * Returns a function that asks for confirmation and for a reason before a strategy changes in
 * production. It resolves to undefined if the user does not confirm. Outside of production, the
 * function does not ask, and resolves to an empty reason.
 */
export function useConfirmInProduction(): (change: Change) => Promise<Confirmation | undefined> {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const ask = useQuestion();

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
    if (!environment.production) return { reason: "" };
    const names = { flag: flag.name, environment: environment.name };
    return ask({
      title: t(strategy.enabled ? "flags.switchOnTitle" : "flags.switchOffTitle", names),
      production: environment.name,
      children: consequence(change),
      confirm: t(strategy.enabled ? "flags.switchOn" : "flags.switchOff"),
      isDangerous: !strategy.enabled,
      asksReason: true,
    });
  };
}
