import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { Filter } from "./Filter.tsx";
import { useFlagsSearch } from "./use-flags-search.ts";

/** The filter for the owner: the user, and everybody else who owns flags of the project. */
export function OwnerFilter() {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const { search, change } = useFlagsSearch();
  const [isOpened, setOpened] = useState(false);
  // The page needs the other names only in the list, and for the name of a chosen owner.
  const enabled = isOpened || (search.owner !== undefined && search.owner !== user.id);
  const { data = [] } = useQuery({ ...flagOwnersQuery(useProjectId()), enabled });
  const others = data.filter(({ id }) => id !== user.id);
  return (
    <Filter
      label={t("flags.owner")}
      data={[
        { value: String(user.id), label: t("flagForms.ownedByMe") },
        ...others.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={search.owner === undefined ? undefined : String(search.owner)}
      onChange={(id) => change({ owner: id === undefined ? undefined : Number(id) })}
      onOpen={() => setOpened(true)}
    />
  );
}
