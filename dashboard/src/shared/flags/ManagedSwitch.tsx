import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FlagWithRelated } from "../api/types.ts";
import { flagQuery } from "../data/flag.ts";
import { useTranslation } from "../i18n/use-translation.ts";

/** Returns the manager of the file that owns the switch of a flag in an environment. */
export const managerOfSwitch = (
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
export function ManagedSwitch({ flagId, environmentId }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(flagQuery(flagId));
  const manager = data && managerOfSwitch(data, environmentId);
  return (
    <Text size="sm" fw={500} mt="xs" role="status">
      {manager !== undefined && t("flags.managedSwitch", { manager })}
    </Text>
  );
}
