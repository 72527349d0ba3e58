import { useWrite } from "../api/request.ts";
import type { Flag } from "../api/types.ts";
import { needsApproval, useChangeOrPropose } from "../change-requests/use-change-or-propose.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useNotify } from "../ui/use-notify.tsx";

type LifecycleFlag = Pick<Flag, "id" | "name" | "version" | "projectId">;
type ArchivedFlag = Omit<LifecycleFlag, "version">;

/**
 * Both ask for confirmation, and offer to propose what needs an approval. After archiving, a notification offers to
 * undo it.
 */
export function useFlagLifecycle() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const notify = useNotify();
  const changeOrPropose = useChangeOrPropose();
  const archiving = useWrite("post", "/api/v1/flags/{id}/archive");
  const unarchiving = useWrite("post", "/api/v1/flags/{id}/unarchive");

  const unarchive = async ({ id, name, projectId }: ArchivedFlag) => {
    try {
      const done = await changeOrPropose({
        projectId,
        operations: [{ kind: "flag.unarchive", target: { flagId: id } }],
        send: () => unarchiving.mutateAsync({ path: { id } }),
      });
      if (done) notify.done(t("flagForms.unarchivedDone", { flag: name }));
    } catch (error) {
      if (!needsApproval(error)) notify.failed(error);
    }
  };

  const confirmUnarchive = async (flag: ArchivedFlag) => {
    const isConfirmed = await confirm({
      title: t("history.lifecycle.unarchiveTitle", { name: flag.name }),
      children: t("history.lifecycle.unarchiveText"),
      confirm: t("flagForms.unarchive"),
    });
    if (isConfirmed) await unarchive(flag);
  };

  const archive = async (flag: LifecycleFlag) => {
    const isConfirmed = await confirm({
      title: t("flagForms.archiveTitle", { flag: flag.name }),
      children: t("flagForms.archiveConsequence"),
      confirm: t("flagForms.archive"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      const done = await changeOrPropose({
        projectId: flag.projectId,
        operations: [{ kind: "flag.archive", target: { flagId: flag.id } }],
        send: () => archiving.mutateAsync({ path: { id: flag.id }, ifMatch: flag.version }),
      });
      const message = t("flagForms.archivedDone", { flag: flag.name });
      if (done) notify.undoable(message, () => void unarchive(flag));
    } catch (error) {
      if (!needsApproval(error)) notify.failed(error);
    }
  };

  return { archive, confirmUnarchive };
}
