import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditRecords } from "./AuditRecords.tsx";
import { toAuditFilter } from "./audit-filter.ts";
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
