import { Button, Text } from "@mantine/core";
import { IconRobot } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { RightsText } from "../../shared/tokens/RightsText.tsx";
import { type TokenNames, useTokenNames } from "../../shared/tokens/use-token-names.ts";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import rows from "../../shared/ui/row-list.module.css";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { type Agent, agentsQuery, revokeAgent } from "./agent-requests.ts";

/** The OAuth clients that act for the signed-in user, with buttons to revoke their access. */
export function Agents() {
  const { t } = useTranslation();
  const agents = useQuery(agentsQuery);
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
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const { id, name, clientId, expiresAt, lastUsedAt } = agent;
  const revoke = useMutation({
    mutationFn: () => revokeAgent(id),
    onSuccess: () => done(t("agents.revoked", { name })),
    onError: failed,
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: t("agents.revokeAsk", { name }),
      children: t("agents.revokeText"),
      confirm: t("tokens.revoke"),
      isDangerous: true,
    });
    if (isConfirmed) revoke.mutate();
  };
  return (
    <li className={rows.row}>
      <IconRobot size={20} stroke={1.75} aria-hidden />
      <div className={rows.words}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {sourceOf(clientId)}
        </Text>
        <RightsText rights={agent} names={names} />
        <Text size="xs" c="dimmed">
          {t("agents.expires", { date: date(expiresAt) })} ·{" "}
          {lastUsedAt === null ? (
            t("apiKeys.neverUsed")
          ) : (
            <>
              {t("tokens.lastUsed")} <TimeAgo at={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("agents.revokeOne", { name })}
        loading={revoke.isPending}
        onClick={() => void ask()}
      >
        {t("tokens.revoke")}
      </Button>
    </li>
  );
}
