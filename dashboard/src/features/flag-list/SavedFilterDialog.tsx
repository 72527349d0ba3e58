import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { changePreferences } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

export type NamedFilter = Schemas["Preferences"]["filters"][number];

interface Props {
  /** The saved filters to rename. Undefined: saves `query` under a new name. */
  filter: NamedFilter | undefined;
  query: string;
  others: readonly NamedFilter[];
  opened: boolean;
  onClose: () => void;
  onSaved: (name: string) => void;
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

function NameForm({ filter, query, others, onClose, onSaved }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const client = useQueryClient();
  const send = (name: string) => {
    if (!filter) return changePreferences(client, { change: "saveFilter", projectId, name, query });
    const change = { change: "renameFilter", projectId, name: filter.name, newName: name } as const;
    return conflictToFieldError(
      changePreferences(client, change),
      "name",
      t("savedFilters.nameTaken"),
    );
  };
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: filter?.name ?? "" },
      validate: { name: (name) => (name.trim() === "" ? t("common.required") : null) },
    },
    submit: async ({ name }) => {
      await send(name.trim());
      onSaved(name.trim());
      onClose();
    },
  });
  const replaces = !filter && others.some(({ name }) => name === form.values.name.trim());
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput {...form.getInputProps("name")} />
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
