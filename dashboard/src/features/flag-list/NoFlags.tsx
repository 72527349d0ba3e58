import { Button, Group } from "@mantine/core";
import { IconFlag, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { flagsQuery } from "./flags-query.ts";

/** The text that replaces the list of flags if the project has no flags, or only archived flags. */
export function NoFlags({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const canCreate = useCan("flag:write");
  const { data: archived } = useQuery(flagsQuery(projectId, { archived: true }));

  if (archived !== undefined && archived.totalItems > 0)
    return (
      <EmptyState
        Icon={IconFlag}
        title={t("flags.allArchivedTitle")}
        action={
          <LinkButton
            variant="default"
            to="/projects/$projectId/flags"
            params={{ projectId }}
            search={{ archived: true }}
          >
            {t("flags.showArchived")}
          </LinkButton>
        }
      >
        {t("flags.allArchivedText")}
      </EmptyState>
    );
  return (
    <EmptyState
      Icon={IconFlag}
      title={t("flags.emptyTitle")}
      action={
        canCreate && (
          <Group justify="center" gap="xs">
            <Button
              onClick={onCreate}
              leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
            >
              {t("flags.createFirst")}
            </Button>
            <LinkButton variant="default" to="/projects/$projectId/start" params={{ projectId }}>
              {t("flags.guided")}
            </LinkButton>
          </Group>
        )
      }
    >
      {t("flags.emptyText")}
    </EmptyState>
  );
}
