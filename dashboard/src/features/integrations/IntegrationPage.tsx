import { Alert, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Integration } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { IntegrationActions } from "./IntegrationActions.tsx";
import { IntegrationDetails } from "./IntegrationDetails.tsx";
import { integrationQuery } from "./queries.ts";
import { SignatureHelp } from "./SignatureHelp.tsx";
import { StateBadge, stateOf } from "./StateBadge.tsx";

const route = getRouteApi("/projects/$projectId/integrations/$integrationId");

export function IntegrationPage() {
  const { t } = useTranslation();
  const { projectId, integrationId } = route.useParams();
  const integration = useQuery(integrationQuery(integrationId));
  const mayWrite = useCan("integration:write");
  const { data } = integration;
  return (
    <>
      <BackLink to="/projects/$projectId/integrations" params={{ projectId }}>
        {t("integrations.back")}
      </BackLink>
      <PageHeader
        title={data?.name ?? t("integrations.one")}
        description={
          data && (
            <Group gap="xs">
              <StateBadge integration={data} />
              {t("integrations.lastSuccess")}: <TimeAgo at={data.lastSuccessAt} />
            </Group>
          )
        }
        actions={data && mayWrite && <IntegrationActions integration={data} />}
      />
      <QueryView query={integration}>
        {(known) => (
          <>
            <DeliveryAlert integration={known} />
            <IntegrationDetails integration={known} mayWrite={mayWrite} />
            {known.type === "custom_webhook" && <SignatureHelp />}
            <Title order={2} size="h4" mt="xl" mb="sm">
              {t("integrations.deliveries")}
            </Title>
            <Deliveries integration={known} mayWrite={mayWrite} />
          </>
        )}
      </QueryView>
    </>
  );
}

/** Says why deliveries fail or are not sent. Renders nothing while they succeed. */
function DeliveryAlert({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const { failingSince, switchedOffAt } = integration;
  const state = stateOf(integration);
  if (state === "failing")
    return (
      <Alert color="yellow" variant="light" mb="md">
        <Trans
          i18nKey="integrations.failingText"
          components={{ time: <TimeAgo at={failingSince} /> }}
        />
      </Alert>
    );
  if (state === "switchedOff")
    return (
      <Alert color="red" variant="light" mb="md">
        <Trans
          i18nKey="integrations.switchedOffText"
          components={{ time: <TimeAgo at={switchedOffAt} /> }}
        />
      </Alert>
    );
  return state === "off" ? (
    <Text size="sm" c="dimmed" mb="md">
      {t("integrations.offText")}
    </Text>
  ) : null;
}
