import { Table, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Integration } from "../../shared/api/types.ts";
import { integrationsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { RowLink } from "../../shared/ui/links.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import { CreateIntegration, SigningSecret } from "./CreateIntegration.tsx";
import { QuotaMeter } from "./QuotaMeter.tsx";
import { StateBadge, stateOf, STATES } from "./StateBadge.tsx";
import { EVENTS, hasEveryEvent } from "./events.ts";
import { configOf, eventsOf, INTEGRATION_TYPES } from "./integration-fields.ts";

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
        {(data) => (
          <SearchableList
            items={data}
            text={(integration) => `${integration.name}\n${configOf(integration).url}`}
            searchLabel={t("integrations.search")}
            filters={[
              {
                name: "state",
                label: t("integrations.state"),
                options: STATES.map((value) => ({
                  value,
                  label: t(`integrations.states.${value}`),
                })),
                matches: (integration, state) => stateOf(integration) === state,
              },
              {
                name: "type",
                label: t("integrations.type"),
                options: INTEGRATION_TYPES.map((value) => ({
                  value,
                  label: t(`integrations.types.${value}`),
                })),
                matches: (integration, type) => integration.type === type,
              },
            ]}
          >
            {(found) => <IntegrationTable integrations={found} />}
          </SearchableList>
        )}
      </ListPage>
      <QuotaMeter isListLoaded={!integrations.isLoading} />
      {created && <SigningSecret integration={created} />}
    </>
  );
}

function IntegrationTable({ integrations }: { integrations: readonly Integration[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t("shell.integrations")}
      head={
        <>
          <Column>{t("common.name")}</Column>
          <Column className={narrow.hidden}>{t("integrations.state")}</Column>
          <Column className={narrow.hidden}>{t("integrations.events")}</Column>
          <Column className={narrow.hidden}>{t("integrations.lastSuccess")}</Column>
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
  const state = (
    <>
      <StateBadge integration={integration} />
      {failingSince !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {t("integrations.since")} <TimeAgo at={failingSince} />
        </Text>
      )}
    </>
  );
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
        <div className={narrow.only}>{state}</div>
      </Table.Th>
      <Table.Td className={narrow.hidden}>{state}</Table.Td>
      <Table.Td className={narrow.hidden}>
        {hasEveryEvent(events)
          ? t("integrations.allEvents")
          : t("integrations.someEvents", {
              count: events.length,
              all: new Set([...EVENTS, ...events]).size,
            })}
      </Table.Td>
      <Table.Td className={narrow.hidden}>
        <TimeAgo at={lastSuccessAt} />
      </Table.Td>
    </Table.Tr>
  );
}
