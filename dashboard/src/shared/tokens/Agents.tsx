import { Text } from "@mantine/core";
import { IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { read, send } from "../api/request.ts";
import type { Schemas } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { Loading, QueryView } from "../ui/QueryView.tsx";
import { RemovableRow } from "../ui/RemovableRow.tsx";
import rows from "../ui/row-list.module.css";
import { RightsText } from "./RightsText.tsx";
import { TimesText } from "./TimesText.tsx";
import { type TokenNames, useTokenNames } from "./use-token-names.ts";

/**
 * The OAuth clients that act for a user, with buttons to revoke their access. Without `userId`: for the
 * signed-in user.
 */
export function Agents({ userId }: { userId?: number }) {
  const { t } = useTranslation();
  const agents = useQuery(agentsQuery(userId));
  return (
    <QueryView query={agents}>
      {(loaded) =>
        loaded.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("agents.none")}
          </Text>
        ) : (
          <AgentList agents={loaded} />
        )
      }
    </QueryView>
  );
}

function AgentList({ agents }: { agents: readonly Agent[] }) {
  const ofEnvironments = agents.some(({ environmentIds }) => environmentIds !== null);
  const names = useTokenNames(undefined, ofEnvironments);
  if (!names) return <Loading />;
  return (
    <ul className={rows.list}>
      {agents.map((agent) => (
        <Row key={agent.id} agent={agent} names={names} />
      ))}
    </ul>
  );
}

/** Returns where a client comes from: the host of its document, or the id that an administrator gave it. */
const sourceOf = (clientId: string): string =>
  URL.canParse(clientId) ? new URL(clientId).host : clientId;

function Row({ agent, names }: { agent: Agent; names: TokenNames }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { id, name, clientId, expiresAt, lastUsedAt } = agent;
  return (
    <RemovableRow
      Icon={IconRobot}
      button={{ text: t("tokens.revoke"), label: t("agents.revokeOne", { name }) }}
      question={{
        title: t("agents.revokeAsk", { name }),
        children: t("agents.revokeText"),
        confirm: t("tokens.revoke"),
      }}
      remove={() => revokeAgent(id)}
      removed={t("agents.revoked", { name })}
    >
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {sourceOf(clientId)}
      </Text>
      <RightsText rights={agent} names={names} />
      <TimesText end={t("agents.expires", { date: date(expiresAt) })} lastUsedAt={lastUsedAt} />
    </RemovableRow>
  );
}

type Agent = Schemas["Agent"];

/** The agents that act for a user. Undefined: the signed-in user. */
export const agentsQuery = (userId: number | undefined) =>
  read("/api/v1/agents", userId === undefined ? {} : { query: { userId } });

/** Throws: ApiError 404 if the access was already revoked. */
const revokeAgent = (id: number) => send("delete", "/api/v1/agents/{id}", { path: { id } });
