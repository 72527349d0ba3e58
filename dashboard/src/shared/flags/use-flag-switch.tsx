import { Text } from "@mantine/core";
import { useMutationState, useQueryClient, useQuery } from "@tanstack/react-query";
import type { Strategy, FlagWithRelated } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { type Confirmation, useQuestion } from "../ui/use-confirm.tsx";
import { flagQuery } from "../data/flag.ts";
import { sum } from "../checks.ts";
import { USAGE_DAYS, usageQuery } from "../data/usage-of-flags.ts";
import { isTargeted, type Targeting } from "./targeting-summary.ts";
import { type FlagInEnvironment, switchKey, useSetEnabled } from "./use-set-enabled.ts";

interface Switchable extends FlagInEnvironment {
  strategy: Pick<Strategy, "enabled"> & Targeting;
}

/**
 * The switch of a flag in one environment. `switchTo` asks for confirmation (see `useConfirmSwitch`),
 * and then offers to undo the change. `isOn` is the state after the last confirmed click, even before the
 * server has responded.
 */
export function useFlagSwitch({ flag, environment, strategy }: Switchable) {
  const confirm = useConfirmSwitch();
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

/** Turns a flag off from anywhere: asks for confirmation, and then offers to undo the change. */
export function useTurnOff(): (target: FlagInEnvironment) => Promise<void> {
  const confirm = useConfirmSwitch();
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

/** How long a flag that was read says whether a file manages its switch, milliseconds. */
const MANAGED_MS = 60_000;

/**
 * Returns a function that asks for confirmation before a strategy changes in production, with a reason,
 * or if a file manages the switch. It resolves to undefined if the user does not confirm. Elsewhere, the
 * function does not ask, and resolves to an empty reason.
 */
export function useConfirmSwitch(): (change: Change) => Promise<Confirmation | undefined> {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const ask = useQuestion();
  const client = useQueryClient();

  const isManaged = async ({ flag, environment }: Change): Promise<boolean> => {
    try {
      const read = await client.fetchQuery({ ...flagQuery(flag.id), staleTime: MANAGED_MS });
      return managerOfSwitch(read, environment.id) !== undefined;
    } catch {
      // A switch must work in an emergency, also without the warning.
      return false;
    }
  };

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
    const { production } = environment;
    if (!production && !(await isManaged(change))) return { reason: "" };
    const names = { flag: flag.name, environment: environment.name };
    return ask({
      title: t(strategy.enabled ? "flags.switchOnTitle" : "flags.switchOffTitle", names),
      ...(production && { production: environment.name }),
      children: (
        <>
          {consequence(change)}
          {!strategy.enabled && <Usage flagId={flag.id} environmentId={environment.id} />}
          <ManagedSwitch flagId={flag.id} environmentId={environment.id} />
        </>
      ),
      confirm: t(strategy.enabled ? "flags.switchOn" : "flags.switchOff"),
      isDangerous: !strategy.enabled,
      asksReason: production,
    });
  };
}

/** Returns the manager of the file that owns the switch of a flag in an environment. */
const managerOfSwitch = (
  { related }: Pick<FlagWithRelated, "related">,
  environmentId: number,
): string | undefined =>
  related?.managedBy.find(
    (managed) => managed.environmentId === environmentId && managed.fields.includes("enabled"),
  )?.manager;

interface Props {
  flagId: number;
  environmentId: number;
}

/** Warns before a switch that a file manages. The dialog shows the rest while this loads. */
function ManagedSwitch({ flagId, environmentId }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(flagQuery(flagId));
  const manager = data && managerOfSwitch(data, environmentId);
  return (
    <Text size="sm" fw={500} mt="xs" role="status">
      {manager !== undefined && t("flags.managedSwitch", { manager })}
    </Text>
  );
}

/** How often a flag was evaluated lately. The line is empty until that has loaded. */
function Usage({ flagId, environmentId }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...usageQuery(environmentId, [flagId]), retry: false });
  const count = data && sum(data.get(flagId) ?? []);
  return (
    <Text size="sm" fw={500} mt="xs" mih="1.5em">
      {count !== undefined && t("flags.usedLately", { count, days: USAGE_DAYS })}
    </Text>
  );
}
