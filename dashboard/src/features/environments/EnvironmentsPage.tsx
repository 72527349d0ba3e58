import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconPlus, IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { EnvironmentForm } from "./EnvironmentForm.tsx";
import { EnvironmentTable } from "./EnvironmentTable.tsx";
import { countedEnvironmentsQuery } from "./queries.ts";

export function EnvironmentsPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const environments = useQuery(countedEnvironmentsQuery(projectId));
  const mayWrite = useCan("environment:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={open}
    >
      {t("environments.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("shell.environments")}
        description={t("environments.about")}
        actions={
          environments.data?.length !== 0 && (
            <>
              {(environments.data?.length ?? 0) > 1 && (
                <LinkButton
                  variant="default"
                  leftSection={<IconArrowsDiff size={16} stroke={1.75} aria-hidden />}
                  to="/projects/$projectId/environments/compare"
                  params={{ projectId }}
                >
                  {t("comparison.title")}
                </LinkButton>
              )}
              {create}
            </>
          )
        }
      />
      <QueryView query={environments}>
        {(data) =>
          data.length > 0 ? (
            <EnvironmentTable environments={data} />
          ) : (
            <EmptyState Icon={IconServer2} title={t("environments.none")} action={create}>
              {t("environments.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <EnvironmentForm opened={isCreating} onClose={close} />
    </>
  );
}
