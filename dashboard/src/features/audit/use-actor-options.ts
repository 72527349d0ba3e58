import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../../shared/api/types.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { peopleQuery } from "../../shared/history/use-names.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";

/** The longest page: who changed something lately. */
const LATEST = 200;

/**
 * Whose records can be asked for, in groups: administrators know everybody, others themselves and
 * whoever stands in the latest records; API keys are known from those alone.
 */
export function useActorOptions(projectId: number | undefined) {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const mayKnowPeople = useCan("user:read");
  const { data: everybody = [] } = useQuery({ ...peopleQuery, enabled: mayKnowPeople });
  const { data: latest } = useQuery({
    ...auditQuery(["latest", projectId], () => ({
      size: LATEST,
      ...(projectId !== undefined && { projectId }),
    })),
    staleTime: 60_000,
  });
  const items = latest?.items ?? [];
  const people = new Map([[user.id, user.email], ...seen(items, "user")]);
  for (const { id, email } of everybody) people.set(id, email);
  const options = (kind: "user" | "key", named: ReadonlyMap<number, string>) =>
    [...named]
      .map(([id, label]) => ({ value: `${kind}-${id}`, label }))
      .toSorted((a, b) => a.label.localeCompare(b.label));
  return [
    { group: t("history.audit.people"), items: options("user", people) },
    { group: t("history.audit.keys"), items: options("key", new Map(seen(items, "key"))) },
    { group: t("history.service"), items: [{ value: "system", label: t("history.service") }] },
  ].filter((group) => group.items.length > 0);
}

const seen = (items: readonly AuditRecord[], kind: "user" | "key") =>
  items.flatMap(({ actor: { kind: itsKind, id, name } }) =>
    itsKind === kind && id !== null && name !== null ? [[id, name] as const] : [],
  );
