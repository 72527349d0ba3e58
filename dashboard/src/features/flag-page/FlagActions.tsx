import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconArchiveOff, IconCopyPlus, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Flag } from "../../shared/api/types.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { ActionMenu, type MenuAction } from "../../shared/ui/ActionMenu.tsx";

/** The actions for the whole flag that are rarely used, in a menu. */
export function FlagActions({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { archive, confirmUnarchive } = useFlagLifecycle();
  const [isCloning, clone] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const { projectId } = flag;
  const actions: readonly MenuAction[] = [
    { label: t("clone.open"), Icon: IconCopyPlus, onClick: clone.open },
    ...(flag.archived
      ? [
          {
            label: t("flagForms.unarchive"),
            Icon: IconArchiveOff,
            onClick: () => void confirmUnarchive(flag),
          },
          { label: t("flagForms.deleteFlag"), Icon: IconTrash, onClick: deletion.open },
        ]
      : [{ label: t("flagForms.archive"), Icon: IconArchive, onClick: () => void archive(flag) }]),
  ];
  return (
    <>
      <ActionMenu label={t("flagForms.actionsOf", { flag: flag.name })} actions={actions} />
      <CloneFlagModal key={flag.id} flag={flag} opened={isCloning} onClose={clone.close} />
      <DeleteFlagModal
        flag={flag}
        opened={isDeleting}
        onClose={deletion.close}
        onDeleted={() => void navigate({ to: "/projects/$projectId/flags", params: { projectId } })}
      />
    </>
  );
}
