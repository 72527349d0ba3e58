import { Button, Paper, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { environmentColours } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import classes from "./AuditFilters.module.css";
import { AuditPeriod } from "./AuditPeriod.tsx";
import { type AuditSearch, AUDIT_TYPES, isFiltered } from "./search-params.ts";
import { useActorOptions } from "./use-actor-options.ts";

export interface AuditProps {
  /** The project whose audit records the page shows. Undefined: those of the whole service. */
  projectId: number | undefined;
  search: AuditSearch;
  onChange: (search: AuditSearch, how?: { replace: boolean }) => void;
}

/** The entity types of the whole service, which the filter of a project does not offer. */
const SERVICE_TYPES = new Set<string>(["user", "settings"]);

export function AuditFilters({ projectId, search, onChange }: AuditProps) {
  const { t } = useTranslation();
  const seesEverything = useCan("audit:read-all");
  const [wasOpened, setWasOpened] = useState(false);
  const actors = useActorOptions(projectId, wasOpened || search.actor !== undefined);
  const { data: environments = [] } = useQuery({
    ...environmentsQuery(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const types = AUDIT_TYPES.filter((type) => projectId === undefined || !SERVICE_TYPES.has(type));
  // Leave out the page number, so that the list of audit records starts at page 1 after a filter
  // has changed.
  const { page: _page, ...filters } = search;
  const set = (changed: AuditSearch) => onChange({ ...filters, ...changed });
  return (
    <Paper
      component="section"
      withBorder
      radius="md"
      p="md"
      mb="md"
      aria-label={t("history.audit.filters")}
      className={classes.filters}
    >
      <AuditPeriod search={filters} onChange={onChange} />
      <Select
        label={t("history.audit.person")}
        placeholder={t("history.audit.anybody")}
        data={actors}
        value={search.actor ?? null}
        onChange={(actor) => set({ actor: actor ?? undefined })}
        onDropdownOpen={() => setWasOpened(true)}
        searchable
        clearable
      />
      <Select
        label={t("history.audit.thing")}
        placeholder={t("history.audit.anything")}
        data={types.map((value) => ({ value, label: t(`history.things.${value}`) }))}
        value={search.type ?? null}
        onChange={(type) => set({ type: type ?? undefined, id: undefined })}
        clearable
      />
      {projectId !== undefined && (
        <Select
          label={t("history.audit.environment")}
          placeholder={t("history.audit.everywhere")}
          data={selectOptionsOf(environments)}
          value={search.environment === undefined ? null : String(search.environment)}
          onChange={(id) => set({ environment: id === null ? undefined : Number(id) })}
          clearable
          {...environmentColours(search.environment)}
        />
      )}
      {projectId === undefined && seesEverything && (
        <Select
          label={t("history.audit.kind")}
          placeholder={t("history.audit.anyKind")}
          data={[
            { value: "change" as const, label: t("history.audit.change") },
            { value: "security" as const, label: t("history.audit.security") },
          ]}
          value={search.category ?? null}
          onChange={(category) => set({ category: category ?? undefined })}
          clearable
        />
      )}
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {t("history.audit.clear")}
        </Button>
      )}
    </Paper>
  );
}
