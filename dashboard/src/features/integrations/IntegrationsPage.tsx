import { useDisclosure } from "@mantine/hooks";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../shared/data/integrations.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { CreateIntegration } from "./CreateIntegration.tsx";
import { IntegrationTable } from "./IntegrationTable.tsx";
import { QuotaMeter } from "./QuotaMeter.tsx";

export function IntegrationsPage() {
  const { t } = useTranslation();
  const integrations = useQuery(integrationsQuery(useProjectId()));
  const mayWrite = useCan("integration:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && <CreateButton onClick={open}>{t("integrations.new")}</CreateButton>;
  return (
    <>
      <ListPage
        title={t("shell.integrations")}
        description={t("integrations.about")}
        query={integrations}
        actions={create}
        empty={
          <EmptyState
            Icon={IconPlugConnected}
            docs="/docs/webhooks.md"
            title={t("integrations.none")}
            action={create}
          >
            {t("integrations.noneText")}
          </EmptyState>
        }
      >
        {(data) => <IntegrationTable integrations={data} />}
      </ListPage>
      <QuotaMeter />
      <CreateIntegration opened={isCreating} onClose={close} />
    </>
  );
}
