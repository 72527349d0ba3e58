import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import type { Tag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { flagCountOfTagQuery } from "./queries.ts";

/**
 * A hook that returns a function, which deletes a tag after a confirmation. The confirmation dialog
 * says how many flags have the tag.
 */
export function useDeleteTag(): (tag: Tag) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ id }: Tag) => api.DELETE("/api/v1/tags/{id}", { params: { path: { id } } }),
  });
  return async (tag) => {
    try {
      const count = await client.fetchQuery(flagCountOfTagQuery(tag.projectId, tag.name));
      const isConfirmed = await confirm({
        title: t("tags.deleteAsk", tag),
        children: count === 0 ? t("tags.deleteUnused") : t("tags.deleteText", { count }),
        confirm: t("tags.delete"),
        isDangerous: true,
      });
      if (!isConfirmed) return;
      await mutateAsync(tag);
      done(t("tags.deleted", tag));
    } catch (error) {
      failed(error);
    }
  };
}
