import { Checkbox, Text } from "@mantine/core";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

import { type SavedFilter, useSavedFilterChanges } from "./saved-filters.ts";

interface Props {
  /** The saved filters to rename. Undefined: saves `query` under a new name. */
  filter: SavedFilter | undefined;
  query: string;
  /** The filters of the user, which saving under their name replaces. */
  others: readonly SavedFilter[];
  /** Whether the user may save filters for the project. */
  canShare: boolean;
  opened: boolean;
  onClose: () => void;
  onSaved: (filter: Pick<SavedFilter, "id" | "name">) => void;
}

export function SavedFilterDialog({ opened, ...props }: Props) {
  const { t } = useTranslation();
  const { filter, onClose } = props;
  const title = filter ? t("savedFilters.renameTitle", filter) : t("savedFilters.saveTitle");
  return (
    <FormModal title={title} opened={opened} onClose={onClose}>
      <NameForm {...props} />
    </FormModal>
  );
}

function NameForm({ filter, query, others, canShare, onClose, onSaved }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const { save, rename } = useSavedFilterChanges();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: filter?.name ?? "", isShared: filter?.id !== undefined },
      validate: { name: (name) => (name.trim() === "" ? t("common.required") : null) },
    },
    submit: async ({ name: typed, isShared }) => {
      const name = typed.trim();
      await conflictToFieldError<unknown>(
        filter ? rename(filter, name) : save({ name, query }, isShared),
        "name",
        t("savedFilters.nameTaken"),
      );
      onSaved({ name, ...(isShared && { id: filter?.id ?? 0 }) });
      onClose();
    },
  });
  const replaces =
    !filter && !form.values.isShared && others.some(({ name }) => name === form.values.name.trim());
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput {...form.getInputProps("name")} />
      {canShare && !filter && (
        <Checkbox
          label={t("savedFilters.share")}
          description={t("savedFilters.shareHint")}
          {...form.getInputProps("isShared", { type: "checkbox" })}
        />
      )}
      <Text size="sm" role="status" hidden={!replaces}>
        {replaces && t("savedFilters.replaces")}
      </Text>
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={replaces ? t("savedFilters.replace") : t("common.save")}
      />
    </ServerForm>
  );
}
