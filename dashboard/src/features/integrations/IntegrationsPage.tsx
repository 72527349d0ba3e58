import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../shared/data/integrations.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { CreateIntegration } from "./CreateIntegration.tsx";
import { IntegrationTable } from "./IntegrationTable.tsx";
import { QuotaMeter } from "./QuotaMeter.tsx";

export function IntegrationsPage() {
  const { t } = useTranslation();
  const integrations = useQuery(integrationsQuery(useProjectId()));
  const mayWrite = useCan("integration:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={open}
    >
      {t("integrations.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("shell.integrations")}
        description={t("integrations.about")}
        actions={integrations.data?.length !== 0 && create}
      />
      <QueryView query={integrations}>
        {(data) =>
          data.length > 0 ? (
            <IntegrationTable integrations={data} />
          ) : (
            <EmptyState
              Icon={IconPlugConnected}
              docs="/docs/webhooks.md"
              title={t("integrations.none")}
              action={create}
            >
              {t("integrations.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <QuotaMeter />
      <CreateIntegration opened={isCreating} onClose={close} />
    </>
  );
}
