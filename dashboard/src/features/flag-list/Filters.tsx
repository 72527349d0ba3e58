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
import { valuesOf } from "./several.ts";
import { type Pair, toggleValue } from "./tokens.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

export function Filters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { user } = useCurrentSession();
  const { search, change, clear } = useFlagsSearch();
  const sort = useSortFilter();
  // Loads the options only when the user opens the menu, or to show the name of a set filter.
  const [wasOpened, setWasOpened] = useState(false);
  const isUsed = (...pair: Pair) => pair.some((name) => search[name] !== undefined);
  const when = (isSet: boolean) => ({ enabled: wasOpened || isSet });
  const tags = useQuery({ ...tagsQuery(projectId), ...when(isUsed("tag", "notTag")) });
  const segments = useQuery({
    ...segmentsQuery(projectId),
    ...when(isUsed("segment", "notSegment")),
  });
  const environments = useQuery({
    ...environmentsQuery(projectId),
    ...when(isUsed("on", "off")),
  });
  const owners = useQuery({
    ...flagOwnersQuery(projectId),
    ...when(
      [search.owner, search.notOwner].some((owner) => owner !== undefined && owner !== user.id),
    ),
  });
  // A filter can have the value of a tag, which is no name.
  const tagOptions = [
    ...new Set([
      ...(tags.data ?? []).map(({ name }) => name),
      ...valuesOf(search.tag),
      ...valuesOf(search.notTag),
    ]),
  ].map((name) => ({ value: name, label: name }));
  /** The value and the change of a filter whose values have `+` in front, or `-` for the opposite. */
  const severalOf = (pair: Pair, parse: (text: string) => string | number) => ({
    value: [
      ...valuesOf<string | number>(search[pair[0]]).map((value) => `+${value}`),
      ...valuesOf<string | number>(search[pair[1]]).map((value) => `-${value}`),
    ],
    onChange: (value: string | undefined) =>
      change(
        value === undefined
          ? { [pair[0]]: undefined, [pair[1]]: undefined }
          : {
              ...toggleValue(search, pair, parse(value.slice(1)), value.startsWith("-")),
              page: undefined,
            },
      ),
  });
  const isAndIsNot = (options: readonly { value: string; label: string }[]) => [
    ...options.map(({ value, label }) => ({ value: `+${value}`, label })),
    {
      group: t("flagForms.isNot"),
      items: options.map(({ value, label }) => ({
        value: `-${value}`,
        label: t("flagForms.not", { value: label }),
      })),
    },
  ];
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
      options: isAndIsNot(tagOptions),
      isLoading: tags.isLoading,
      ...severalOf(["tag", "notTag"], String),
    },
    {
      label: t("flags.state"),
      options: (environments.data ?? []).flatMap(({ id, name: environment }) => [
        { value: `+${id}`, label: t("flagForms.onIn", { environment }) },
        { value: `-${id}`, label: t("flagForms.offIn", { environment }) },
      ]),
      isLoading: environments.isLoading,
      ...severalOf(["on", "off"], Number),
    },
    {
      label: t("flags.segment"),
      options: isAndIsNot(selectOptionsOf(segments.data ?? [])),
      isLoading: segments.isLoading,
      ...severalOf(["segment", "notSegment"], Number),
    },
    {
      label: t("flags.owner"),
      options: isAndIsNot([
        { value: String(user.id), label: t("flagForms.ownedByMe") },
        ...selectOptionsOf(otherOwners),
      ]),
      isLoading: owners.isLoading,
      ...severalOf(["owner", "notOwner"], Number),
    },
    {
      label: t("clients.label"),
      options: [
        { value: "all", label: t("clients.all") },
        { value: "server", label: t("clients.server") },
      ],
      value: search.clients,
      onChange: (value) =>
        change({ clients: value === "all" || value === "server" ? value : undefined }),
    },
    {
      label: t("flags.life"),
      options: [
        { value: "stale", label: t("flags.stale") },
        { value: "fresh", label: t("flagForms.notStale") },
        { value: "archived", label: t("flags.archived") },
      ],
      value: search.archived
        ? "archived"
        : search.stale === undefined
          ? undefined
          : search.stale
            ? "stale"
            : "fresh",
      onChange: (value) =>
        change({
          archived: value === "archived" || undefined,
          stale: value === "stale" || (value === "fresh" ? false : undefined),
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
