import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../../shared/api/types.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { userNamesQuery } from "../../shared/history/use-item-names.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";

/**
 * The number of latest audit records whose actors the filter offers. It is the API's largest page
 * size.
 */
const LATEST = 200;

/**
 * Returns the grouped options of the actor filter. Administrators can choose any user. Everybody
 * else can choose themselves and the users of the latest audit records. API keys come from the
 * latest records only.
 */
export function useActorOptions(projectId: number | undefined) {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const mayKnowPeople = useCan("user:read");
  const { data: allUsers = [] } = useQuery({ ...userNamesQuery, enabled: mayKnowPeople });
  const { data: latest } = useQuery({
    ...auditQuery(["latest", projectId], () => ({
      size: LATEST,
      ...(projectId !== undefined && { projectId }),
    })),
    staleTime: 60_000,
  });
  const items = latest?.items ?? [];
  const users = new Map([[user.id, user.email], ...actorsIn(items, "user")]);
  for (const { id, email } of allUsers) users.set(id, email);
  const options = (kind: "user" | "key", named: ReadonlyMap<number, string>) =>
    [...named]
      .map(([id, label]) => ({ value: `${kind}-${id}`, label }))
      .toSorted((a, b) => a.label.localeCompare(b.label));
  return [
    { group: t("history.audit.people"), items: options("user", users) },
    { group: t("history.audit.keys"), items: options("key", new Map(actorsIn(items, "key"))) },
    { group: t("history.service"), items: [{ value: "system", label: t("history.service") }] },
  ].filter((group) => group.items.length > 0);
}

const actorsIn = (items: readonly AuditRecord[], kind: "user" | "key") =>
  items.flatMap(({ actor: { kind: actorKind, id, name } }) =>
    actorKind === kind && id !== null && name !== null ? [[id, name] as const] : [],
  );
