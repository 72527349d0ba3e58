import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { AuditRecord } from "../../shared/api/types.ts";
import { auditQuery, type AuditFilter } from "../../shared/history/audit-query.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { DAY_MS, endOfDay, startOfDay } from "../../shared/time.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditRecords } from "./AuditRecords.tsx";
import { type AuditSearch, validateAuditSearch } from "./search-params.ts";

/** The audit records of the project in the URL or, for administrators, of the whole service. */
export function AuditPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useParams({ strict: false, select: (params) => params.projectId });
  const current = useSearch({ strict: false, select: validateAuditSearch });
  const seesEverything = useCan("audit:read-all");
  const show = (search: AuditSearch, { replace = false } = {}) => {
    if (projectId === undefined) void navigate({ to: "/audit", search, replace });
    else
      void navigate({ to: "/projects/$projectId/audit", params: { projectId }, search, replace });
  };

  const isAllowed = projectId !== undefined || seesEverything;
  const records = useQuery({
    ...auditQuery([projectId, current], (now) => ({
      ...toAuditFilter(current, projectId, now),
      related: true,
    })),
    enabled: isAllowed,
  });
  const props = { projectId, search: current, onChange: show };

  if (!isAllowed)
    return (
      <>
        <PageHeader title={t("shell.wholeAudit")} />
        <EmptyState Icon={IconLock} title={t("history.audit.forAdministrators")}>
          {t("history.audit.forAdministratorsText")}
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader
        title={t(projectId === undefined ? "shell.wholeAudit" : "shell.audit")}
        description={t(
          projectId === undefined
            ? "history.audit.description"
            : "history.audit.projectDescription",
        )}
      />
      <AuditFilters {...props} isSearching={records.isPlaceholderData} />
      <AuditRecords {...props} records={records} />
    </>
  );
}

const PAGE_SIZE = 25;

const RANGE_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;

/**
 * Translates the search parameters of the audit page into the query parameters of the audit API. A
 * range such as `7d` starts 7 days before `now` (epoch milliseconds).
 */
function toAuditFilter(
  search: AuditSearch,
  projectId: number | undefined,
  now: number,
): AuditFilter {
  const {
    search: text,
    range,
    from,
    to,
    actor,
    type,
    id,
    environment,
    category,
    page = 1,
  } = search;
  const [, actorKind, actorId] = actor?.match(/^(.+?)(?:-(\d+))?$/) ?? [];
  return {
    page: page - 1,
    size: PAGE_SIZE,
    ...(projectId !== undefined && { projectId }),
    ...(text !== undefined && { q: text }),
    ...(range && { dateFrom: new Date(now - RANGE_MS[range]).toISOString() }),
    ...(from !== undefined && { dateFrom: startOfDay(from).toISOString() }),
    ...(to !== undefined && { dateTo: endOfDay(to).toISOString() }),
    ...(actorKind !== undefined && { actorKind: actorKind as AuditRecord["actor"]["kind"] }),
    ...(actorId !== undefined && { actorId: Number(actorId) }),
    ...(type !== undefined && { entityType: type }),
    ...(id !== undefined && { entityId: id }),
    ...(environment !== undefined && { environmentId: environment }),
    ...(category && { category }),
  };
}
