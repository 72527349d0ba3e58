import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../shared/api/client.ts";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";

/**
 * A hook that returns a function, which deletes a context definition after a confirmation and opens
 * the list of context definitions.
 */
export function useDeleteContext(): (definition: ContextDefinition) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const navigate = useNavigate();
  const { mutateAsync } = useMutation({
    mutationFn: async ({ id: definitionId, projectId }: ContextDefinition) => {
      await api.DELETE("/api/v1/contexts/{definitionId}", { params: { path: { definitionId } } });
      // Open the list of context definitions before the mutation ends. A successful mutation
      // refetches every query on the page, and the query of the deleted context definition would
      // fail.
      await navigate({ to: "/projects/$projectId/contexts", params: { projectId } });
    },
  });
  return async (definition) => {
    const isConfirmed = await confirm({
      title: t("contexts.deleteAsk", definition),
      children: t("contexts.deleteText"),
      confirm: t("contexts.delete"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      await mutateAsync(definition);
      done(t("contexts.deleted", definition));
    } catch (error) {
      failed(error);
    }
  };
}
