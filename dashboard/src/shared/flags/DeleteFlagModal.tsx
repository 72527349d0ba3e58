import { useDelete } from "../api/request.ts";
import type { Flag } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { TypeToConfirmModal } from "../ui/TypeToConfirmModal.tsx";
import { useNotify } from "../ui/use-notify.tsx";

interface Props {
  /** The flag to delete. It must be archived, because the API deletes no other flags. */
  flag: Pick<Flag, "id" | "key" | "name" | "version">;
  opened: boolean;
  onClose: () => void;
  onDeleted?: () => void;
}

/** The user must type the flag's key first, because the deletion cannot be undone. */
export function DeleteFlagModal({ flag, opened, onClose, onDeleted }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { mutateAsync } = useDelete("/api/v1/flags/{id}", () => onDeleted?.());
  const remove = async () => {
    await mutateAsync({ path: { id: flag.id }, ifMatch: flag.version });
    notify.done(t("flagForms.deletedDone", { flag: flag.name }));
  };

  return (
    <TypeToConfirmModal
      opened={opened}
      onClose={onClose}
      title={t("flagForms.deleteTitle", { flag: flag.name })}
      name={flag.key}
      confirm={t("flagForms.delete")}
      onConfirm={remove}
    >
      {t("flagForms.deleteConsequence")}
    </TypeToConfirmModal>
  );
}
