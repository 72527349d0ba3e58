import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Flag } from "../../shared/api/types.ts";
import { peopleQuery } from "../../shared/data/users.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";

/** The names of the owners of a flag. Nothing for a flag without owners, and while they load. */
export function FlagOwners({ flag: { ownerIds } }: { flag: Pick<Flag, "ownerIds"> }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { data: people = [] } = useQuery({ ...peopleQuery, enabled: ownerIds.length > 0 });
  const names = people.flatMap(({ id, name }) => (ownerIds.includes(id) ? [name] : []));
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("owners.of", { count: names.length, names: list(names) })}
    </Text>
  );
}
