import { useQuery } from "@tanstack/react-query";
import { compareNames } from "../../shared/compare-names.ts";
import type { AuditRecord } from "../../shared/api/types.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { usersQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";

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
export function useActorOptions(projectId: number | undefined, isWanted: boolean) {
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
