import { Switch } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { send } from "../../shared/api/request.ts";
import type { Environment } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  onClose: () => void;
  /** The environment to edit. Undefined if the form creates a new one. */
  edited?: Environment | undefined;
}

export function EnvironmentForm({ onClose, edited }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const save = useMutation({
    mutationFn: (body: { name: string; production: boolean }) =>
      edited
        ? send("put", "/api/v1/environments/{id}", { path: { id: edited.id }, body })
        : send("post", "/api/v1/environments", { body: { ...body, projectId } }),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: edited?.name ?? "", production: edited?.production ?? false },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      await conflictToFieldError(save.mutateAsync(values), "name", t("environments.nameInUse"));
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("environments.nameHint")} {...form.getInputProps("name")} />
      <Switch
        label={t("environments.production")}
        description={t("environments.productionMeans")}
        {...form.getInputProps("production", { type: "checkbox" })}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(edited ? "common.save" : "environments.create")}
      />
    </ServerForm>
  );
}
