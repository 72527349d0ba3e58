import { TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import type { Environment } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The environment to rename. Undefined if the form creates a new one. */
  renamed?: Environment | undefined;
}

export function EnvironmentForm({ opened, onClose, renamed }: Props) {
  const { t } = useTranslation();
  const title = renamed ? t("environments.renameOne", renamed) : t("environments.new");
  return (
    <FormModal title={title} opened={opened} onClose={onClose}>
      <Fields onClose={onClose} renamed={renamed} />
    </FormModal>
  );
}

function Fields({ onClose, renamed }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const save = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      renamed
        ? dataOf(
            api.PUT("/api/v1/environments/{id}", {
              params: { path: { id: renamed.id } },
              body: { name },
            }),
          )
        : dataOf(api.POST("/api/v1/environments", { body: { name, projectId } })),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: renamed?.name ?? "" },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      await conflictToFieldError(save.mutateAsync(values), "name", t("environments.nameInUse"));
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TextInput
        label={t("common.name")}
        description={t(renamed ? "environments.renameHint" : "environments.nameHint")}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(renamed ? "environments.rename" : "environments.create")}
      />
    </ServerForm>
  );
}
