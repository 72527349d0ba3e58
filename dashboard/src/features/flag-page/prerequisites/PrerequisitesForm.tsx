import type { Flag, Schemas } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { RowsEditor } from "../../../shared/rows/RowsEditor.tsx";
import { useRows } from "../../../shared/rows/use-rows.ts";
import { FormActions } from "../../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../../shared/ui/ServerForm.tsx";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { useLeaveGuard } from "../../../shared/use-leave-guard.ts";
import { useServerForm } from "../../../shared/use-server-form.ts";
import { ChangedMeanwhile } from "../ChangedMeanwhile.tsx";
import type { PartFormHandlers } from "../EditablePart.tsx";
import { type OnDraft, useReportDraft } from "../../../shared/flags/use-drafts.ts";
import { useBaseFlag } from "../../../shared/flags/use-base-flag.ts";
import { useUpdateFlag } from "../../../shared/flags/use-update-flag.ts";
import { checkPrerequisites, newPrerequisiteInput, toPrerequisites } from "./prerequisite-input.ts";
import { PrerequisiteRow } from "./PrerequisiteRow.tsx";

/** The maximum number of prerequisites of a flag. The API rejects more. */
const MAX = 10;

interface Props extends PartFormHandlers {
  flag: Flag;
  onDraft: OnDraft;
}

export function PrerequisitesForm({ flag, onDraft, onDone, onReload }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const confirm = useConfirm();
  const { base, isOutdated } = useBaseFlag(flag, ({ prerequisites }) => prerequisites);
  const update = useUpdateFlag(flag);
  const { rows, setRows, failures, submit } = useRows("prerequisites", () =>
    flag.prerequisites.length > 0
      ? flag.prerequisites.map(newPrerequisiteInput)
      : [newPrerequisiteInput()],
  );
  const filled = rows.filter(({ flagKey }) => flagKey !== "");
  const isDirty = JSON.stringify(toPrerequisites(filled)) !== JSON.stringify(base.prerequisites);
  const { pending, error, onSubmit } = useServerForm({
    form: { initialValues: {} },
    submit: async () => {
      if (!isDirty && filled.length === rows.length) return onDone();
      const checked = checkPrerequisites(t, rows);
      await submit(checked, async () => {
        const isConfirmed = await confirm({
          title: t("prerequisites.confirmTitle"),
          children: t("prerequisites.confirmText"),
          confirm: t("common.save"),
        });
        if (!isConfirmed) return;
        const body: Schemas["UpdateFlag"] = { prerequisites: toPrerequisites(checked) };
        const saved = await update({ version: base.version, body });
        if (saved) notify.done(t("prerequisites.saved"));
        onDone();
      });
    },
  });
  useLeaveGuard(isDirty);
  // Ignores a newer version while this form saves, because it is the form's own change.
  const isConflict = isOutdated && !pending;
  useReportDraft(onDraft, "prerequisites", { isDirty, isOutdated: isConflict });
  const taken = [flag.key, ...rows.map(({ flagKey }) => flagKey)];

  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={isConflict ? undefined : error}>
      {isConflict && (
        <ChangedMeanwhile load={t("prerequisites.loadSaved")} onLoad={onReload}>
          {t("prerequisites.conflict")}
        </ChangedMeanwhile>
      )}
      <RowsEditor
        rows={rows}
        onChange={setRows}
        newRow={newPrerequisiteInput}
        add={t("prerequisites.add")}
        max={MAX}
        full={t("prerequisites.full", { count: MAX })}
        failures={failures}
      >
        {(prerequisite, handlers) => (
          <PrerequisiteRow
            projectId={flag.projectId}
            isPublic={flag.clients === "all"}
            taken={taken}
            prerequisite={prerequisite}
            {...handlers}
          />
        )}
      </RowsEditor>
      <FormActions onCancel={onDone} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}
