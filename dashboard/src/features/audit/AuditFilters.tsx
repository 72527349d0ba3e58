import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditRecord } from "../../shared/api/types.ts";
import { compareNames } from "../../shared/compare-names.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { usersQuery } from "../../shared/data/users.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { kindText } from "../../shared/history/use-record-text.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterBar } from "../../shared/list/FilterBar.tsx";
import { type Filter, FilterControls } from "../../shared/list/FilterControls.tsx";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";
import { kindsToFilter } from "./kinds.ts";
import { AuditDates, usePeriod } from "./AuditPeriod.tsx";
import { type AuditSearch, CATEGORIES, isFiltered } from "./search-params.ts";

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

/**
 * The number of latest audit records from which the filter takes actors: the API's largest page.
 */
const LATEST = 200;

/** How long the options stay fresh, milliseconds. Names rarely change. */
const STALE_MS = 60_000;

/**
 * A hook that returns the options of the actor filter: users, service accounts, API
 * keys and the service itself.
 * Administrators can choose every user; other users can choose themselves and the users in the
 * latest audit records. The service accounts and API keys always come from the latest audit records.
 * They are loaded only if `isWanted`.
 */
function useActorOptions(projectId: number | undefined, isWanted: boolean) {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const mayKnowPeople = useCan("user:read");
  const { data: allUsers = [] } = useQuery({
    ...usersQuery,
    enabled: isWanted && mayKnowPeople,
    staleTime: STALE_MS,
  });
  const { data: latest } = useQuery({
    ...auditQuery(["latest", projectId], () => ({
      size: LATEST,
      ...(projectId !== undefined && { projectId }),
    })),
    enabled: isWanted,
    staleTime: STALE_MS,
  });
  const items = latest?.items ?? [];
  const users = new Map([[user.id, user.name], ...actorsIn(items, "user")]);
  for (const { id, name } of allUsers) users.set(id, name);
  const options = (kind: Kind, named: ReadonlyMap<number, string>) =>
    [...named]
      .map(([id, label]) => ({ value: `${kind}-${id}`, label }))
      .toSorted((a, b) => compareNames(a.label, b.label));
  return [
    { group: t("history.audit.people"), items: options("user", users) },
    {
      group: t("shell.serviceAccounts"),
      items: options("service-account", new Map(actorsIn(items, "service-account"))),
    },
    { group: t("history.audit.keys"), items: options("key", new Map(actorsIn(items, "key"))) },
    { group: t("history.service"), items: [{ value: "system", label: t("history.service") }] },
  ].filter((group) => group.items.length > 0);
}

type Kind = "user" | "service-account" | "key";

const actorsIn = (items: readonly AuditRecord[], kind: Kind) =>
  items.flatMap(({ actor: { kind: actorKind, id, name, displayName } }) =>
    actorKind === kind && id !== null && name !== null ? [[id, displayName ?? name] as const] : [],
  );
