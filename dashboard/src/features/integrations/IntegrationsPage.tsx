import { Table, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Integration } from "../../shared/api/types.ts";
import { integrationsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { RowLink } from "../../shared/ui/links.tsx";
import { CreateIntegration, SigningSecret } from "./CreateIntegration.tsx";
import { QuotaMeter } from "./QuotaMeter.tsx";
import { StateBadge } from "./StateBadge.tsx";
import { EVENTS } from "./events.ts";
import { configOf, eventsOf } from "./integration-fields.ts";

export function IntegrationsPage() {
  const { t } = useTranslation();
  const integrations = useQuery(integrationsQuery(useProjectId()));
  const mayWrite = useCan("integration:write");
  const [created, setCreated] = useState<Integration>();
  return (
    <>
      <ListPage
        title={t("shell.integrations")}
        description={t("integrations.about")}
        query={integrations}
        create={
          mayWrite && {
            label: t("integrations.new"),
            size: "lg",
            renderForm: (onClose) => <CreateIntegration onClose={onClose} onCreated={setCreated} />,
          }
        }
        empty={{
          Icon: IconPlugConnected,
          docs: "/docs/webhooks.md",
          title: t("integrations.none"),
          text: t("integrations.noneText"),
        }}
      >
        {(data) => <IntegrationTable integrations={data} />}
      </ListPage>
      <QuotaMeter />
      {created && <SigningSecret integration={created} />}
    </>
  );
}

function IntegrationTable({ integrations }: { integrations: readonly Integration[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t("shell.integrations")}
      miw="40rem"
      head={
        <>
          <Column>{t("common.name")}</Column>
          <Column>{t("integrations.state")}</Column>
          <Column>{t("integrations.events")}</Column>
          <Column>{t("integrations.lastSuccess")}</Column>
        </>
      }
    >
      {integrations.map((integration) => (
        <IntegrationRow key={integration.id} integration={integration} />
      ))}
    </DataTable>
  );
}

function IntegrationRow({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const { id, projectId, name, type, failingSince, lastSuccessAt } = integration;
  const events = eventsOf(integration);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <RowLink
          to="/projects/$projectId/integrations/$integrationId"
          params={{ projectId, integrationId: id }}
        >
          {name}
        </RowLink>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {t(`integrations.types.${type}`)} · {configOf(integration).url}
        </Text>
      </Table.Th>
      <Table.Td>
        <StateBadge integration={integration} />
        {failingSince !== null && (
          <Text size="xs" c="dimmed" mt={2}>
            {t("integrations.since")} <TimeAgo at={failingSince} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {events.length === EVENTS.length
          ? t("integrations.allEvents")
          : t("integrations.someEvents", { count: events.length, all: EVENTS.length })}
      </Table.Td>
      <Table.Td>
        <TimeAgo at={lastSuccessAt} />
      </Table.Td>
    </Table.Tr>
  );
}
