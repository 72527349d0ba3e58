import { Button, Code } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useDelete } from "../../shared/api/request.ts";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { typeText } from "../../shared/constraints/type-text.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ContextForm } from "./ContextForm.tsx";
import { ContextValues } from "./ContextValues.tsx";
import { contextQuery } from "./queries.ts";

const route = getRouteApi("/projects/$projectId/contexts/$contextId");

export function ContextPage() {
  const { t } = useTranslation();
  const { projectId, contextId } = route.useParams();
  const definition = useQuery(contextQuery(contextId));
  return (
    <>
      <BackLink to="/projects/$projectId/contexts" params={{ projectId }}>
        {t("contexts.back")}
      </BackLink>
      {definition.isLoadingError && <PageHeader title={t("history.things.context")} />}
      <QueryView query={definition}>
        {(data) => <ContextDetail key={data.id} definition={data} />}
      </QueryView>
    </>
  );
}

function ContextDetail({ definition }: { definition: ContextDefinition }) {
  const { t } = useTranslation();
  const mayWrite = useCan("context:write");
  const [isEditing, { open, close }] = useDisclosure(false);
  const remove = useDeleteContext();
  return (
    <>
      <PageHeader
        title={definition.name}
        description={
          <>
            <Code>{definition.contextKey}</Code> · {typeText(t, definition.contextType)}
          </>
        }
        actions={
          mayWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
                onClick={open}
              >
                {t("contexts.edit")}
              </Button>
              <Button
                variant="default"
                leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
                onClick={() => void remove(definition)}
              >
                {t("contexts.delete")}
              </Button>
            </>
          )
        }
      />
      <ContextValues definition={definition} />
      <FormModal title={t("contexts.edit")} opened={isEditing} onClose={close}>
        <ContextForm onClose={close} definition={definition} />
      </FormModal>
    </>
  );
}

/** Returns a function that asks, deletes a context definition and opens the list of them. */
function useDeleteContext(): (definition: ContextDefinition) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const navigate = useNavigate();
  const list = {
    to: "/projects/$projectId/contexts",
    params: { projectId: useProjectId() },
  } as const;
  const { mutateAsync } = useDelete("/api/v1/contexts/{definitionId}", () => navigate(list));
  return async (definition) => {
    const isConfirmed = await confirm({
      title: t("contexts.deleteAsk", definition),
      children: t("contexts.deleteText"),
      confirm: t("contexts.delete"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      await mutateAsync({ path: { definitionId: definition.id } });
      done(t("contexts.deleted", definition));
    } catch (error) {
      failed(error);
    }
  };
}
