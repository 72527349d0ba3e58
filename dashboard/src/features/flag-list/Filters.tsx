import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { segmentsQuery, tagsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type Filter, FilterControls } from "../../shared/list/FilterControls.tsx";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import { countFilters, DEFAULT_SORT, type FlagSort } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

export function Filters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { user } = useCurrentSession();
  const { search, change, clear } = useFlagsSearch();
  const sort = useSortFilter();
  // Loads the options only when the user opens the menu, or to show the name of a set filter.
  const [wasOpened, setWasOpened] = useState(false);
  const when = (isSet: boolean) => ({ enabled: wasOpened || isSet });
  const tags = useQuery({ ...tagsQuery(projectId), ...when(search.tag !== undefined) });
  const segments = useQuery({ ...segmentsQuery(projectId), ...when(search.segment !== undefined) });
  const environments = useQuery({
    ...environmentsQuery(projectId),
    ...when(search.state !== undefined),
  });
  const owners = useQuery({
    ...flagOwnersQuery(projectId),
    ...when(search.owner !== undefined && search.owner !== user.id),
  });
  const otherOwners = (owners.data ?? []).filter(({ id }) => id !== user.id);

  const filters: Filter[] = [
    {
      label: t("flags.favourites"),
      value: search.favourite && "true",
      onChange: (value) => change({ favourite: value === undefined ? undefined : true }),
    },
    {
      label: t("flags.type"),
      options: [
        { value: "RELEASE", label: t("flags.release") },
        { value: "KILLSWITCH", label: t("flags.killSwitch") },
      ],
      value: search.type,
      onChange: (value) =>
        change({ type: value === "RELEASE" || value === "KILLSWITCH" ? value : undefined }),
    },
    {
      label: t("flags.tag"),
      options: (tags.data ?? []).map(({ name }) => ({ value: name, label: name })),
      isLoading: tags.isLoading,
      value: search.tag,
      onChange: (tag) => change({ tag }),
    },
    {
      label: t("flags.state"),
      options: (environments.data ?? []).flatMap(({ id, name: environment }) => [
        { value: `${id} on`, label: t("flagForms.onIn", { environment }) },
        { value: `${id} off`, label: t("flagForms.offIn", { environment }) },
      ]),
      isLoading: environments.isLoading,
      value: search.state && `${search.environment} ${search.state}`,
      onChange: (value) => {
        const [id, state] = value?.split(" ") ?? [];
        change({
          environment: id === undefined ? undefined : Number(id),
          state: state === "on" || state === "off" ? state : undefined,
        });
      },
    },
    {
      label: t("flags.segment"),
      options: selectOptionsOf(segments.data ?? []),
      isLoading: segments.isLoading,
      value: search.segment === undefined ? undefined : String(search.segment),
      onChange: (id) => change({ segment: id === undefined ? undefined : Number(id) }),
    },
    {
      label: t("flags.owner"),
      options: [
        { value: String(user.id), label: t("flagForms.ownedByMe") },
        ...selectOptionsOf(otherOwners),
      ],
      isLoading: owners.isLoading,
      value: search.owner === undefined ? undefined : String(search.owner),
      onChange: (id) => change({ owner: id === undefined ? undefined : Number(id) }),
    },
    {
      label: t("flags.life"),
      options: [
        { value: "stale", label: t("flags.stale") },
        { value: "archived", label: t("flags.archived") },
      ],
      value: search.archived ? "archived" : search.stale && "stale",
      onChange: (value) =>
        change({
          archived: value === "archived" || undefined,
          stale: value === "stale" || undefined,
        }),
    },
    ...sort,
  ];
  return (
    <FilterControls
      filters={filters}
      onOpen={() => setWasOpened(true)}
      onClear={countFilters(search) > 0 ? clear : undefined}
    />
  );
}

/** The sort order of the flag cards of a narrow screen, which have no column headers to click. */
function useSortFilter(): Filter[] {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  const isNarrow = useIsNarrow();
  if (!isNarrow) return [];
  const options = [
    { value: DEFAULT_SORT, label: t("flagForms.sortName") },
    { value: "-createdAt", label: t("flagForms.sortNewest") },
    { value: "-updatedAt", label: t("flagForms.sortChanged") },
    { value: "-lastUsedAt", label: t("flagForms.sortUsed") },
  ] satisfies { value: FlagSort; label: string }[];
  return [
    {
      label: t("flagForms.sort"),
      options,
      value: search.sort,
      onChange: (chosen) =>
        change({
          sort: options.find(({ value }) => value === chosen && value !== DEFAULT_SORT)?.value,
        }),
    },
  ];
}
