import { Text } from "@mantine/core";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type Columns, environmentColumn } from "./columns.ts";

/**
 * Shows in how many of the environments that have no column the flag is on. A tooltip has their
 * names.
 */
export function OtherEnvironments({ flag, columns }: { flag: EnrichedFlag; columns: Columns }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const others = flag.environments.filter(({ id }) => !columns.has(environmentColumn(id)));
  const on = flag.archived ? [] : others.filter(({ strategy }) => strategy.enabled);
  if (others.length === 0) return null;
  return (
    <Text
      size="sm"
      c={on.length === 0 ? "dimmed" : "inherit"}
      title={list(on.map(({ name }) => name)) || undefined}
    >
      {t("flags.onInOthers", { on: on.length, count: others.length })}
    </Text>
  );
}
