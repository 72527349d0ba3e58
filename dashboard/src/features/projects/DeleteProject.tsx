import { Button, List, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDelete } from "../../shared/api/request.ts";
import type { Project } from "../../shared/api/types.ts";
import { apiKeysQuery, segmentsQuery, integrationsQuery } from "../../shared/data/project-lists.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { flagCountQuery } from "../../shared/data/flag.ts";
import { clearLastProjectId } from "../../shared/data/last-project.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TypeToConfirmModal } from "../../shared/ui/TypeToConfirmModal.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";

/** Links to the API keys instead if there are any, because the service refuses the deletion. */
export function DeleteProject({ project: { id, name } }: { project: Project }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { done } = useNotify();
  const [isAsking, { open, close }] = useDisclosure(false);
  const { data: keys } = useQuery(apiKeysQuery(id));
  const remove = useDelete("/api/v1/projects/{id}", () => {
    clearLastProjectId();
    return navigate({ to: "/projects" });
  });
  return (
    <>
      {keys !== undefined && keys.length > 0 && (
        <Text size="sm">
          {t("projects.keysLeft", { count: keys.length })}{" "}
          <LinkAnchor
            inherit
            underline="always"
            to="/projects/$projectId/api-keys"
            params={{ projectId: id }}
          >
            {t("projects.toKeys")}
          </LinkAnchor>
        </Text>
      )}
      {keys?.length === 0 && (
        <Button color="red" variant="light" onClick={open}>
          {t("projects.delete")}
        </Button>
      )}
      <TypeToConfirmModal
        opened={isAsking}
        onClose={close}
        title={t("projects.deleteAsk", { name })}
        name={name}
        confirm={t("projects.delete")}
        onConfirm={async () => {
          await remove.mutateAsync({ path: { id } });
          done(t("projects.deleted", { name }));
        }}
      >
        {t("projects.goesWithIt")}
        <DeletedWithProject projectId={id} />
        {t("projects.deleteFinal")}
      </TypeToConfirmModal>
    </>
  );
}

function DeletedWithProject({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  const { data: flags } = useQuery(flagCountQuery(projectId));
  const { data: environments } = useQuery(environmentsQuery(projectId));
  const { data: segments } = useQuery(segmentsQuery(projectId));
  const { data: integrations } = useQuery(integrationsQuery(projectId));
  const counts = [
    ["flags", flags],
    ["environments", environments?.length],
    ["segments", segments?.length],
    ["integrations", integrations?.length],
  ] as const;
  return (
    <List size="sm" my="xs">
      {counts.map(
        ([what, count]) =>
          count !== undefined && (
            <List.Item key={what}>{t(`projects.${what}`, { count })}</List.Item>
          ),
      )}
      <List.Item>{t("projects.otherThings")}</List.Item>
    </List>
  );
}
