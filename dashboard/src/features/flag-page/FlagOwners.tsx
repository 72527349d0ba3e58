import { Text } from "@mantine/core";
import type { FlagWithRelated } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** The names of the owners of a flag. Nothing for a flag without owners. */
export function FlagOwners({ flag: { related } }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const names = related?.owners.map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("owners.of", { count: names.length, names: list(names) })}
    </Text>
  );
}
