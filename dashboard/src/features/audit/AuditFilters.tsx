import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { kindText } from "../../shared/history/use-record-text.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterBar } from "../../shared/list/FilterBar.tsx";
import { type Filter, FilterControls } from "../../shared/list/FilterControls.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { kindsToFilter } from "./kinds.ts";
import { AuditDates, usePeriod } from "./AuditPeriod.tsx";
import { type AuditSearch, CATEGORIES, isFiltered } from "./search-params.ts";
import { useActorOptions } from "./use-actor-options.ts";

export interface AuditProps {
  /** The project whose audit records the page shows. Undefined: those of the whole service. */
  projectId: number | undefined;
  search: AuditSearch;
  onChange: (search: AuditSearch, how?: { replace: boolean }) => void;
}

/** `isSearching`: whether the result of a new search loads. */
export function AuditFilters({
  projectId,
  search,
  onChange,
  isSearching,
}: AuditProps & { isSearching: boolean }) {
  const { t } = useTranslation();
  const seesEverything = useCan("audit:read-all");
  const [wasOpened, setWasOpened] = useState(false);
  const actors = useActorOptions(projectId, wasOpened || search.actor !== undefined);
  const { data: environments = [] } = useQuery({
    ...environmentsQuery(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  // Leave out the page number, so that the list of audit records starts at page 1 after a filter
  // has changed.
  const { page: _page, ...filters } = search;
  const set = (changed: AuditSearch) => onChange({ ...filters, ...changed });
  const period = usePeriod(filters, onChange);
  const all: Filter[] = [
    period,
    {
      label: t("history.audit.person"),
      options: actors,
      value: search.actor,
      onChange: (actor) => set({ actor }),
    },
    {
      label: t("history.audit.thing"),
      options: kindsToFilter(projectId !== undefined, search.type).map((value) => ({
        value,
        label: kindText(t, value),
      })),
      value: search.type,
      onChange: (type) => set({ type, id: undefined }),
    },
  ];
  if (projectId !== undefined)
    all.push({
      label: t("history.audit.environment"),
      options: selectOptionsOf(environments),
      value: search.environment === undefined ? undefined : String(search.environment),
      onChange: (id) => set({ environment: id === undefined ? undefined : Number(id) }),
    });
  else if (seesEverything)
    all.push({
      label: t("history.audit.kind"),
      options: CATEGORIES.map((value) => ({ value, label: t(`history.audit.${value}`) })),
      value: search.category,
      onChange: (value) => set({ category: CATEGORIES.find((category) => category === value) }),
    });
  return (
    <FilterBar
      label={t("history.audit.filters")}
      search={{
        label: t("history.audit.search"),
        value: search.search ?? "",
        onSearch: (words) =>
          onChange({ ...filters, search: words || undefined }, { replace: true }),
        isSearching,
      }}
    >
      <FilterControls
        filters={all}
        onOpen={() => setWasOpened(true)}
        onClear={isFiltered({ ...search, search: undefined }) ? () => onChange({}) : undefined}
      >
        {period.value === "dates" && <AuditDates search={filters} onChange={onChange} />}
      </FilterControls>
    </FilterBar>
  );
}
